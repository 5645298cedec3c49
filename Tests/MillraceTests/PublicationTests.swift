// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import TestSupport
import Testing

@Suite("Publication", .serialized, .timeLimit(.minutes(5)))
struct PublicationTests {
    static let sum = Reducer<Int, Int>.reduce { action, state in state += action }

    @Test("everyAction: each state is published, before the IOs of its action run", arguments: engines)
    func everyAction(engine: StoreEngine) async {
        let log = Recorder<String>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Self.sum,
            middleware: Handle<Int, Int> { action, _, _ in IO { _ in log.record("io \(action)") } },
            engine: engine,
            publication: .everyAction
        )
        store.subscribe { log.record("state \($0)") }
        store.dispatch(contentsOf: [1, 2, 3])
        await store.drain()
        #expect(log.all == ["state 0", "state 1", "io 1", "state 3", "io 2", "state 6", "io 3"])
    }

    @Test("batch: at most one publication a batch, and the last state always", arguments: engines)
    func batch(engine: StoreEngine) async {
        let told = Recorder<Int>()
        let store = ReduxStoreBase(initialState: 0, reducer: Self.sum, engine: engine, publication: .batch)
        store.subscribe { told.record($0) }
        store.dispatch(contentsOf: Array(repeating: 1, count: 10_000))
        await store.drain()
        #expect(told.all.last == 10_000)
        #expect(UInt64(told.count) <= store.metrics.batches + 2)
        #expect(told.all == told.all.sorted())
    }

    @Test("atMost: paced while busy, and the last state follows by itself when the store falls idle")
    func atMost() async {
        let told = Recorder<Int>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Self.sum,
            engine: .thread(),
            publication: .atMost(every: .milliseconds(50))
        )
        store.subscribe { told.record($0) }
        let clock = ContinuousClock()
        let start = clock.now
        while clock.now - start < .milliseconds(500) { store.dispatch(1) }
        let total = Int(store.metrics.offered)
        // No drain: nobody asks for the last one.
        #expect(await eventually { told.all.last == total })
        let elapsed = clock.now - start
        #expect(told.count <= Int(elapsed / .milliseconds(50)) + 3)
        #expect(store.state == total)
    }

    @Test("onDemand: no copy until somebody reads; a read sees all that was dispatched before", arguments: engines)
    func onDemand(engine: StoreEngine) async {
        let told = Recorder<Int>()
        let store = ReduxStoreBase(initialState: 0, reducer: Self.sum, engine: engine, publication: .onDemand)
        store.subscribe { told.record($0) }
        for round in 1...100 {
            for _ in 0..<100 { store.dispatch(1) }
            #expect(store.state == round * 100)
            #expect(store.withState { $0 } == round * 100)
        }
        await store.drain()
        // The first, and one for each round.
        #expect(told.all == (0...100).map { $0 * 100 })
    }

    @Test("onDemand: a getter that a middleware kept asks, too", arguments: engines)
    func onDemandGetter(engine: StoreEngine) async {
        let getters = Recorder<GetState<Int>>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Self.sum,
            middleware: Handle<Int, Int> { action, _, state in
                if action == 0 { getters.record(state) }
                return .pure()
            },
            engine: engine,
            publication: .onDemand
        )
        store.dispatch(0)
        await store.drain()
        for _ in 0..<10 { store.dispatch(1) }
        #expect(getters.all[0]() == 10)
    }

    @Test("onDemand: two stores whose IOs read each other do not wait for each other", arguments: engines)
    func onDemandMutualReads(engine: StoreEngine) async {
        let stores = Shared<[ReduxStoreBase<Int, Int>]>([])
        func make(_ other: Int) -> ReduxStoreBase<Int, Int> {
            ReduxStoreBase(
                initialState: 0,
                reducer: Self.sum,
                middleware: Handle<Int, Int> { _, _, _ in IO { _ in _ = stores.value[other].state } },
                engine: engine,
                publication: .onDemand
            )
        }
        stores.value = [make(1), make(0)]
        onThreads(2) { index in
            for _ in 0..<1_000 { stores.value[index].dispatch(1) }
        }
        for store in stores.value { await store.drain() }
        #expect(stores.value.map(\.state) == [1_000, 1_000])
        stores.value = []
    }

    @Test("a subscription that an older subscriber ends before its first turn is never called", arguments: engines)
    func endedBeforeItsTurn(engine: StoreEngine) async {
        // Dispatched and subscribed by one IO, so that both are in the queue before the pipeline goes on.
        let holder = Shared<ReduxStoreBase<Int, Int>?>(nil)
        let second = Shared<StateSubscription?>(nil)
        let called = Recorder<Int>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Self.sum,
            middleware: Handle<Int, Int> { action, _, _ in
                guard action == 1 else { return .pure() }
                return IO { output in
                    output.dispatch(2)
                    second.value = holder.value?.subscribe { called.record($0) }
                }
            },
            engine: engine,
            publication: .atMost(every: .seconds(3600))
        )
        holder.value = store
        store.subscribe { if $0 == 3 { second.value?.unsubscribe() } }
        await store.drain()
        store.dispatch(1)
        #expect(await eventually { store.metrics.reduced == 2 })
        await store.drain()
        holder.value = nil
        #expect(called.all == [])
    }

    @Test("emitsValue decides who is told, never what is kept", arguments: engines)
    func emitsValue(engine: StoreEngine) async {
        let policies: [(ShouldEmitValue<Int>, [Int])] = [
            (.always, [0, 1, 1, 12]),
            (.never, [0]),
            (.whenDifferent, [0, 1, 12]),
            (.when { $1 - $0 > 5 }, [0, 12]),
        ]
        for (policy, expected) in policies {
            let told = Recorder<Int>()
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Self.sum,
                emitsValue: policy,
                engine: engine,
                publication: .everyAction
            )
            store.subscribe { told.record($0) }
            store.dispatch(contentsOf: [1, 0, 11])
            await store.drain()
            #expect(told.all == expected)
            #expect(store.state == 12)
        }
    }

    @Test("unsubscribing: on the pipeline's thread at once, elsewhere at most the call in flight", arguments: engines)
    func unsubscribe(engine: StoreEngine) async {
        let store = ReduxStoreBase(initialState: 0, reducer: Self.sum, engine: engine, publication: .everyAction)
        let told = Recorder<Int>()
        let itself = Shared<StateSubscription?>(nil)
        itself.value = store.subscribe { state in
            told.record(state)
            if state == 2 { itself.value?.unsubscribe() }
        }
        await store.drain()
        store.dispatch(contentsOf: [1, 1, 1, 1])
        await store.drain()
        #expect(told.all == [0, 1, 2])

        let others = Recorder<Int>()
        let subscription = store.subscribe { others.record($0) }
        await store.drain()
        subscription.unsubscribe()
        subscription.unsubscribe()
        let count = others.count
        store.dispatch(contentsOf: [1, 1, 1])
        await store.drain()
        #expect(others.count == count)
    }
}
