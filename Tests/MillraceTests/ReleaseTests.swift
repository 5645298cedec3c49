// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Millrace

/// Guarantee 6: releasing a store loses nothing.
@Suite("Release", .serialized, .timeLimit(.minutes(5)))
struct ReleaseTests {
    /// Says when it goes, and can keep its output, which leads back to the store.
    final class Keeper: MiddlewareProtocol {
        let log: Recorder<String>
        let output = Shared<AnyActionHandler<Int>?>(nil)

        init(_ log: Recorder<String>) {
            self.log = log
        }

        deinit {
            log.record("released")
            output.value?.dispatch(-1)
        }

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            IO { [output] in output.value = $0 }
        }
    }

    @Test("6: releasing the store finishes what is pending", arguments: engines)
    func g6_finishes(engine: StoreEngine) async {
        for count in [1, 2, 1_000, 100_000] {
            let reduced = Shared(0)
            do {
                let store = ReduxStoreBase(
                    initialState: 0,
                    reducer: Reducer<Int, Int>.reduce { _, _ in reduced.update { $0 += 1 } },
                    engine: engine
                )
                store.dispatch(contentsOf: 0..<count - 1)
                store.dispatch(count)
            }
            #expect(await eventually { reduced.value == count })
        }
    }

    @Test("6: also what pending actions dispatch in turn", arguments: engines)
    func g6_finishesChains(engine: StoreEngine) async {
        let reduced = Shared(0)
        do {
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { _, _ in reduced.update { $0 += 1 } },
                middleware: Handle<Int, Int> { action, _, _ in
                    action > 0 ? IO { $0.dispatch(action - 1) } : .pure()
                },
                engine: engine
            )
            store.dispatch(999)
        }
        #expect(await eventually { reduced.value == 1_000 })
    }

    @Test("6: middlewares go, though one keeps an output that leads back", arguments: engines)
    func g6_noCycle(engine: StoreEngine) async {
        let log = Recorder<String>()
        weak var core: StoreCore<Int, Int>?
        do {
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting(Int.self),
                middleware: Keeper(log),
                engine: engine
            )
            core = store.core
            store.dispatch(1)
            await store.drain()
        }
        #expect(await eventually { log.all == ["released"] })
        #expect(await eventually { core == nil })
    }

    @Test("6: middlewares go, though a lift keeps the output of its IO and its afterReduce", arguments: engines)
    func g6_noCycleOfLifts(engine: StoreEngine) async {
        let log = Recorder<String>()
        weak var core: StoreCore<Int, Int>?
        do {
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting(Int.self),
                middleware: Keeper(log).lift(outputAction: { $0 }, state: { (count: Int) in count }),
                engine: engine
            )
            core = store.core
            store.dispatch(1)
            await store.drain()
        }
        #expect(await eventually { log.all == ["released"] })
        #expect(await eventually { core == nil })
    }

    @Test("6: a dispatch after the release is refused and counted", arguments: engines)
    func g6_lateDispatch(engine: StoreEngine) async throws {
        let outputs = Recorder<AnyActionHandler<Int>>()
        var store: ReduxStoreBase<Int, Int>? = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { _, _, _ in IO { outputs.record($0) } },
            engine: engine
        )
        let core = try #require(store?.core)
        store?.dispatch(1)
        await store?.drain()
        store = nil
        #expect(await eventually { core.consumer.isFinished })
        outputs.all[0].dispatch(2)
        outputs.all[0].dispatch(3)
        #expect(core.metrics.rejected == 2)
        #expect(core.metrics.offered == 3)
        #expect(core.metrics.reduced == 1)
        #expect(core.metrics.pending == 0)
    }

    @Test("6: released while eight threads dispatch through outputs, nothing is lost", arguments: engines)
    func g6_race(engine: StoreEngine) async throws {
        for _ in 0..<50 {
            let reduced = Shared(0)
            let outputs = Recorder<AnyActionHandler<Int>>()
            var store: ReduxStoreBase<Int, Int>? = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { _, count in count += 1 },
                middleware: Handle<Int, Int> { action, _, _ in
                    reduced.update { $0 += 1 }
                    return action == 0 ? IO { outputs.record($0) } : .pure()
                },
                engine: engine
            )
            let core = try #require(store?.core)
            store?.dispatch(0)
            await store?.drain()
            let output = outputs.all[0]
            let toRelease = Shared(store)
            store = nil
            onThreads(9) { thread in
                if thread == 8 {
                    toRelease.value = nil
                } else {
                    for number in 1...200 { output.dispatch(number) }
                }
            }
            #expect(await eventually { core.consumer.isFinished && core.metrics.pending == 0 })
            let counters = core.metrics
            #expect(counters.offered == 1_601)
            #expect(counters.reduced + counters.rejected == counters.offered)
            #expect(reduced.value == Int(counters.reduced))
        }
    }

    @Test("6: what subscribers do in the last publication is finished, too", arguments: engines)
    func g6_lastPublication(engine: StoreEngine) async throws {
        for publication in [Publication.onDemand, .atMost(every: .seconds(3600)), .everyAction] {
            let outputs = Recorder<AnyActionHandler<Int>>()
            let seen = Recorder<Int>()
            var store: ReduxStoreBase<Int, Int>? = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { action, sum in
                    sum += action
                    seen.record(action)
                },
                middleware: Handle<Int, Int> { action, _, _ in action == 1 ? IO { outputs.record($0) } : .pure() },
                engine: engine,
                publication: publication
            )
            let core = try #require(store?.core)
            store?.dispatch(1)
            await store?.drain()
            let subscription = Shared<StateSubscription?>(nil)
            subscription.value = store?.subscribe { sum in
                if sum == 3 {
                    subscription.value?.unsubscribe()
                    outputs.all[0].dispatch(100)
                }
            }
            await store?.drain()
            store?.dispatch(2)
            store = nil
            #expect(await eventually { core.consumer.isFinished })
            #expect(seen.all == [1, 2, 100])
            #expect(core.metrics.offered == 3 && core.metrics.reduced == 3 && core.metrics.pending == 0)
        }
    }

    /// A bag of subscriptions, as apps keep them.
    final class Bag: Sendable {
        let other: StateSubscription
        let output: AnyActionHandler<Int>
        let log: Recorder<String>

        init(_ other: StateSubscription, _ output: AnyActionHandler<Int>, _ log: Recorder<String>) {
            (self.other, self.output, self.log) = (other, output, log)
        }

        deinit {
            other.unsubscribe()
            output.dispatch(7)
            log.record("bag released")
        }
    }

    @Test("6: subscribers go after the end; what they dispatch then is refused", arguments: engines)
    func g6_subscribersGo(engine: StoreEngine) async throws {
        let log = Recorder<String>()
        let outputs = Recorder<AnyActionHandler<Int>>()
        var store: ReduxStoreBase<Int, Int>? = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { _, _, _ in IO { outputs.record($0) } },
            engine: engine
        )
        let core = try #require(store?.core)
        store?.dispatch(1)
        await store?.drain()
        do {
            let other = try #require(store?.subscribe { _ in })
            let bag = Bag(other, outputs.all[0], log)
            store?.subscribe { _ in withExtendedLifetime(bag) {} }
            await store?.drain()
        }
        store = nil
        #expect(await eventually { log.all == ["bag released"] })
        #expect(core.metrics.rejected == 1)
        #expect(core.metrics.pending == 0)
    }

    @Test("6: the last reference dropped by an action that was dispatched inside withState", arguments: engines)
    func g6_droppedInsideReadSection(engine: StoreEngine) async {
        let log = Recorder<String>()
        let other = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
        let held = Shared<ReduxStoreBase<Int, Int>?>(nil)
        held.value = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Keeper(log) <> Handle<Int, Int> { _, _, _ in IO { _ in held.value = nil } },
            engine: engine
        )
        other.withState { _ in held.value?.dispatch(1) }
        #expect(await eventually { log.all == ["released"] })
    }

    @Test("6: released inside withState", arguments: engines)
    func g6_insideReadSection(engine: StoreEngine) async {
        let log = Recorder<String>()
        let other = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
        let held = Shared<ReduxStoreBase<Int, Int>?>(nil)
        held.value = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Keeper(log),
            engine: engine
        )
        other.withState { _ in held.value = nil }
        #expect(await eventually { log.all == ["released"] })
    }

    @Test("6: released on the pipeline's own thread", arguments: engines)
    func g6_fromInside(engine: StoreEngine) async {
        let log = Recorder<String>()
        let held = Shared<ReduxStoreBase<Int, Int>?>(nil)
        held.value = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Keeper(log) <> Handle<Int, Int> { _, _, _ in IO { _ in held.value = nil } },
            engine: engine
        )
        held.value?.dispatch(1)
        #expect(await eventually { log.all == ["released"] })
    }
}
