// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Millrace

/// What is particular to stores on dispatch queues.
@Suite("Queue engines", .serialized, .timeLimit(.minutes(5)))
struct QueueEngineTests {
    @Test("the pipeline runs on the queue it was given")
    func runsThere() async {
        let key = DispatchSpecificKey<Int>()
        let queue = DispatchQueue(label: "mine")
        queue.setSpecific(key: key, value: 7)
        let seen = Recorder<Int?>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, _ in seen.record(DispatchQueue.getSpecific(key: key)) },
            engine: .queue(queue)
        )
        store.dispatch(1)
        await store.drain()
        #expect(seen.all == [7])
        #expect(store.engine == .queue(queue))
        #expect(store.engine != .queue(DispatchQueue(label: "mine")))
        #expect(StoreEngine.queue(.main) == .main)
    }

    /// How many actions each turn takes until so many are reduced. The queue is a serial one, and suspended, with the
    /// first turn in it.
    private func turns(_ store: ReduxStoreBase<Int, Int>, on queue: DispatchQueue, until count: Int) async -> [Int] {
        let seen = Recorder<Int>()
        // Goes to the end of the queue, as each turn puts the next one there: so it runs once between two of them.
        @Sendable func look() {
            let reduced = Int(store.metrics.reduced)
            seen.record(reduced)
            if reduced < count { queue.async(execute: look) }
        }
        queue.async(execute: look)
        queue.resume()
        #expect(await eventually { seen.all.last == count })
        return zip([0] + seen.all, seen.all).map { $1 - $0 }
    }

    private func countingStore(on queue: DispatchQueue) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: .queue(queue),
            publication: .onDemand
        )
    }

    @Test("one async a burst: a backlog costs turns, not one submission an action")
    func submissions() async {
        let queue = DispatchQueue(label: "burst")
        queue.suspend()
        let store = countingStore(on: queue)
        for number in 0..<10_000 { store.dispatch(number) }
        #expect(store.metrics.wakeUps == 1)
        let turns = await turns(store, on: queue, until: 10_000)
        // Ten of a thousand, more where a turn is over after its millisecond.
        #expect(turns.count <= 1_000, "\(turns)")
        #expect(turns.reduce(0, +) == 10_000)
        // Turns go on by themselves: none of them had to be woken.
        #expect(store.metrics.wakeUps == 1)
        #expect(store.state == 10_000)
    }

    @Test("the queue is shared fairly: other work gets its turn after a thousand actions and a batch")
    func fairness() async {
        let queue = DispatchQueue(label: "shared")
        queue.suspend()
        let store = countingStore(on: queue)
        store.dispatch(contentsOf: 0..<100_000)
        let turns = await turns(store, on: queue, until: 100_000)
        // 64 is the largest batch of a turn.
        #expect(turns.max() ?? .max <= 1_024 + 64, "\(turns)")
    }

    @Test("the queue is shared fairly: of slow actions a first batch of eight, then as many as take a millisecond")
    func fairnessOfSlowActions() async {
        let queue = DispatchQueue(label: "shared")
        queue.suspend()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                usleep(1_000)
                count += 1
            },
            engine: .queue(queue),
            publication: .onDemand
        )
        store.dispatch(contentsOf: 0..<50)
        let turns = await turns(store, on: queue, until: 50)
        #expect(turns.first ?? .max <= 8, "\(turns)")
        #expect(turns.dropFirst().max() ?? .max <= 1, "\(turns)")
    }

    @Test("slow actions make small batches: the state is published while a backlog is worked on", arguments: engines)
    func slowActions(engine: StoreEngine) async {
        // Callers publish when they have drained everything.
        guard engine != .caller else { return }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                usleep(500)
                count += 1
            },
            engine: engine,
            publication: .batch
        )
        let steps = Recorder<Int>()
        store.subscribe { steps.record($0) }
        store.dispatch(contentsOf: 0..<400)
        await store.drain()
        // Besides the first batch, which may be large, not one takes more than a few.
        let sizes = zip(steps.all, steps.all.dropFirst()).map { $1 - $0 }
        #expect(sizes.dropFirst(3).max() ?? .max <= 8, "\(sizes)")
    }

    @Test("concurrent queue: still one action at a time")
    func concurrentQueue() async {
        let queue = DispatchQueue(label: "pool", attributes: .concurrent)
        let (inside, overlaps) = (Shared(0), Shared(0))
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                inside.update { $0 += 1 }
                if inside.value != 1 { overlaps.update { $0 += 1 } }
                inside.update { $0 -= 1 }
                count += 1
            },
            engine: .queue(queue)
        )
        await elsewhere {
            onThreads(4) { _ in for number in 0..<20_000 { store.dispatch(number) } }
        }
        await store.drain()
        #expect(overlaps.value == 0)
        #expect(store.state == 80_000)
    }

    @Test("a state whose time has not come is published later, without another action")
    func trailingPublication() async {
        for engine in [StoreEngine.queue(DispatchQueue(label: "trailing")), .queue(.global())] {
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting(Int.self),
                engine: engine,
                publication: .atMost(every: .milliseconds(20))
            )
            store.dispatch(1)
            store.dispatch(2)
            #expect(await eventually { store.state == 2 })
            store.dispatch(3)
            #expect(await eventually { store.state == 3 })
        }
    }

    @Test("an idle store on a queue submits nothing and sets no timers")
    func idle() async throws {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: .queue(DispatchQueue(label: "idle"))
        )
        store.dispatch(1)
        await store.drain()
        // The turn may set its timer after the drain has returned: a third of a second without anything is what counts.
        var isQuiet = false
        for _ in 0..<60 where !isQuiet {
            #expect(await eventually { !store.core.isUpkeepScheduled })
            let (wakeUps, upkeeps) = (store.metrics.wakeUps, engine(of: store)?.upkeeps.load(ordering: .relaxed))
            try await Task.sleep(for: .milliseconds(300))
            let isUnchanged = store.metrics.wakeUps == wakeUps && !store.core.isUpkeepScheduled
            isQuiet = isUnchanged && engine(of: store)?.upkeeps.load(ordering: .relaxed) == upkeeps
        }
        #expect(isQuiet)
    }

    private func engine(of store: ReduxStoreBase<Int, Int>) -> QueueEngine? {
        store.core.host as? QueueEngine
    }

    // MARK: The main queue

    @MainActor
    @Test(".main: on the main actor a dispatch is finished and published when it returns")
    func mainInline() async {
        let order = Recorder<Int>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, sum in
                order.record(action)
                sum += action
            },
            engine: .main,
            publication: .atMost(every: .seconds(3_600))
        )
        store.dispatch(1)
        #expect(store.state == 1)
        await elsewhere { store.dispatch(10) }
        // The main actor has been free meanwhile, or not; whatever waited comes before this one.
        store.dispatch(100)
        #expect(store.state == 111)
        #expect(order.all == [1, 10, 100])
        store.dispatch(contentsOf: [1_000, 10_000])
        #expect(store.state == 11_111)
    }

    @MainActor
    @Test(".main: what waited is finished first, what the pipeline dispatches comes in a later turn")
    func mainOrder() async {
        let order = Recorder<Int>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, _ in order.record(action) },
            middleware: Handle<Int, Int> { action, _, _ in
                action == 2 ? IO { $0.dispatch(20) } : .pure()
            },
            engine: .main
        )
        // Blocks the main queue: what others dispatch has to wait.
        onThreads(1) { _ in for number in [0, 1] { store.dispatch(number) } }
        #expect(order.all == [])
        store.dispatch(2)
        #expect(order.all == [0, 1, 2])
        store.dispatch(3)
        #expect(order.all == [0, 1, 2, 20, 3])
        store.dispatch(2)
        #expect(order.all == [0, 1, 2, 20, 3, 2])
        await store.drain()
        #expect(order.all == [0, 1, 2, 20, 3, 2, 20])
    }

    @MainActor
    @Test(".main: many threads and the main actor at once, in one order")
    func mainRace() async {
        let store = ReduxStoreBase(
            initialState: [0, 0, 0, 0],
            reducer: Reducer<GuaranteeTests.Tagged, [Int]>.reduce { action, next in
                if next[action.producer] == action.number { next[action.producer] += 1 }
            },
            engine: .main
        )
        async let others: Void = elsewhere {
            onThreads(3) { producer in
                for number in 0..<10_000 { store.dispatch(.init(producer: producer, number: number)) }
            }
        }
        for number in 0..<10_000 {
            store.dispatch(.init(producer: 3, number: number))
            #expect(store.withState { $0[3] } == number + 1)
            if number % 100 == 0 { await Task.yield() }
        }
        await others
        await store.drain()
        #expect(store.state == [10_000, 10_000, 10_000, 10_000])
    }

    @MainActor
    @Test(".main: inside withState the action is left to the main queue")
    func mainInReadSection() async {
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .main)
        store.withState { _ in store.dispatch(1) }
        #expect(store.metrics.reduced == 0)
        await store.drain()
        #expect(store.state == 1)
    }
}
