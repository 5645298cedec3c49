// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Millrace

/// Bounded stores: what goes in, what does not, and that the counters say so.
@Suite("Capacity", .serialized, .timeLimit(.minutes(5)))
struct CapacityTests {
    /// A store whose pipeline is held up in the action 0 until `open()`.
    final class Held: Sendable {
        let store: ReduxStoreBase<Int, [Int]>
        private let gate: DispatchSemaphore
        private let entered: Shared<Bool>
        private let returned = Shared(false)

        init(_ engine: StoreEngine, _ capacity: StoreCapacity) async {
            let gate = DispatchSemaphore(value: 0)
            let entered = Shared(false)
            (self.gate, self.entered) = (gate, entered)
            store = ReduxStoreBase(
                initialState: [],
                reducer: .reduce { action, log in log.append(action) },
                middleware: Handle<Int, [Int]> { action, _, _ in
                    if action == 0 {
                        entered.value = true
                        gate.wait()
                    }
                    return .pure()
                },
                engine: engine,
                publication: .onDemand,
                capacity: capacity
            )
            let store = store
            // Elsewhere, as the thread that dispatches may be the one that is held up.
            let returned = returned
            onNewThread {
                store.dispatch(0)
                returned.value = true
            }
            _ = await eventually { entered.value }
        }

        /// Whether the dispatch that is held up has returned.
        var hasReturned: Bool { returned.value }

        func open() { gate.signal() }
    }

    @Test("offer answers: accepted while there is room, then full, then closed", arguments: engines)
    func offers(engine: StoreEngine) async {
        let held = await Held(engine, .bounded(4))
        let answers = (1...5).map { held.store.offer($0) }
        #expect(answers == [.accepted, .accepted, .accepted, .full, .full])
        #expect(held.store.metrics.depth == 4)
        #expect(held.store.metrics.rejected == 2)
        held.open()
        await held.store.drain()
        #expect(held.store.offer(6) == .accepted)
        await held.store.drain()
        #expect(held.store.state == [0, 1, 2, 3, 6])
        held.store.close()
        #expect(held.store.offer(7) == .closed)
        expectBalance(held.store.metrics, offered: 8, reduced: 5, rejected: 3)
    }

    @Test("how long the oldest action waits is known at the first look, also in a new store", arguments: engines)
    func ageAtFirstLook(engine: StoreEngine) async {
        // With `.caller` the time counts from the first look: nobody else can know it.
        if case .caller = engine.kind { return }
        let held = await Held(engine, .unbounded)
        held.store.dispatch(1)
        usleep(60_000)
        #expect(held.store.metrics.ageOfOldest >= .milliseconds(50))
        held.open()
        await held.store.drain()
    }

    @Test("offer(contentsOf:) says how many went in, and those are the first", arguments: engines)
    func offersRuns(engine: StoreEngine) async {
        let held = await Held(engine, .bounded(1_000))
        #expect(held.store.offer(contentsOf: 1...600) == OfferedActions(accepted: 600, result: .accepted))
        #expect(held.store.offer(contentsOf: Array(601...2_000)) == OfferedActions(accepted: 399, result: .full))
        #expect(held.store.offer(contentsOf: [5]) == OfferedActions(accepted: 0, result: .full))
        held.open()
        await held.store.drain()
        #expect(held.store.state == Array(0...999))
        held.store.close()
        #expect(held.store.offer(contentsOf: [1, 2]) == OfferedActions(accepted: 0, result: .closed))
        expectBalance(held.store.metrics, offered: 2_004, reduced: 1_000, rejected: 1_004)
    }

    @Test(
        "an offer is refused from the capacity on, also where a dispatch goes in up to twice that",
        arguments: engines
    )
    func offersWhereTheOldestGo(engine: StoreEngine) async {
        let held = await Held(engine, .bounded(4, overflow: .dropOldest))
        #expect([held.store.offer(1), held.store.offer(2)] == [.accepted, .accepted])
        #expect(held.store.offer(contentsOf: [3, 4, 5]) == OfferedActions(accepted: 1, result: .full))
        #expect(held.store.offer(6) == .full)
        for action in 7...11 { held.store.dispatch(action) }
        // Twice the capacity, the held one among them, without the last.
        #expect(held.store.metrics.depth == 8)
        #expect(held.store.metrics.dropped == 1)
        #expect(held.store.offer(12) == .full)
        #expect(held.store.offer(contentsOf: [13]) == OfferedActions(accepted: 0, result: .full))
        held.open()
        #expect(await eventually { held.store.metrics.pending == 0 })
        #expect(held.store.state == [0, 7, 8, 9, 10])
        expectBalance(held.store.metrics, offered: 14, reduced: 5, dropped: 4, rejected: 5)
    }

    @Test(".dropNewest drops what does not fit", arguments: engines)
    func dropsNewest(engine: StoreEngine) async {
        let held = await Held(engine, .bounded(10, overflow: .dropNewest))
        for action in 1...15 { held.store.dispatch(action) }
        held.store.dispatch(contentsOf: 16...30)
        held.open()
        await held.store.drain()
        #expect(held.store.state == Array(0...9))
        expectBalance(held.store.metrics, offered: 31, reduced: 10, dropped: 21)
        // The message of the drain may have come to the ten actions.
        #expect([10, 11].contains(held.store.metrics.highWaterMark))
    }

    @Test(".dropOldest: control actions at the head make room, too, and the high-water mark knows of what went")
    func dropsOldestBehindControls() async {
        let held = await Held(.thread(), .bounded(64, overflow: .dropOldest))
        for action in 1...5 { held.store.dispatch(control: -action) }
        for action in 1...100 { held.store.dispatch(action) }
        held.open()
        await held.store.drain()
        #expect(held.store.state.filter { $0 > 0 }.count >= 64 - 5)
        #expect(held.store.state.suffix(64).elementsEqual(37...100))
        #expect(held.store.metrics.highWaterMark >= 106)
    }

    @Test(".dropOldest keeps the newest, and refuses at twice the capacity", arguments: engines)
    func dropsOldest(engine: StoreEngine) async {
        let held = await Held(engine, .bounded(10, overflow: .dropOldest))
        for action in 1...30 { held.store.dispatch(action) }
        // Twenty are in, the held one among them.
        #expect(held.store.metrics.depth == 20)
        #expect(held.store.metrics.dropped == 11)
        held.open()
        await held.store.drain()
        let log = held.store.state
        let counters = held.store.metrics
        // A batch of two had begun with the held action; then the ten newest fit.
        #expect(log == [0, 1] + Array(10...19))
        expectBalance(counters, offered: 31, reduced: UInt64(log.count), dropped: 31 - UInt64(log.count))
    }

    @Test("who drains by itself throws nothing away, however long a run is", arguments: OverflowPolicy.allCases)
    func runsByCaller(overflow: OverflowPolicy) {
        for capacity in [1, 10, 300] {
            let store = ReduxStoreBase(
                initialState: [],
                reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
                engine: .caller,
                publication: .onDemand,
                capacity: .bounded(capacity, overflow: overflow)
            )
            store.dispatch(contentsOf: 0..<1_000)
            store.dispatch(contentsOf: Array(1_000..<2_000))
            #expect(store.state == Array(0..<2_000))
            expectBalance(store.metrics, offered: 2_000, reduced: 2_000)
        }
    }

    @Test(".block waits for room, and nothing is lost; a full store stays near its capacity", arguments: engines)
    func blocks(engine: StoreEngine) async {
        let (threads, each, capacity) = (8, 5_000, 64)
        let most = Shared<UInt64>(0)
        let store = ReduxStoreBase(
            initialState: Array(repeating: [Int](), count: threads),
            reducer: Reducer<GuaranteeTests.Tagged, [[Int]]>.reduce { action, seen in
                seen[action.producer].append(action.number)
            },
            engine: engine,
            publication: .onDemand,
            capacity: .bounded(capacity)
        )
        await elsewhere {
            onThreads(threads) { producer in
                for number in 0..<each {
                    store.dispatch(GuaranteeTests.Tagged(producer: producer, number: number))
                    if number % 100 == 0 {
                        let depth = store.metrics.depth
                        most.update { $0 = max($0, depth) }
                    }
                }
            }
        }
        await store.drain()
        let state = store.state
        for producer in 0..<threads { #expect(state[producer] == Array(0..<each)) }
        // Besides the capacity: one for each producer, one that was granted a place, a message.
        #expect(most.value <= UInt64(capacity + 2 * threads + 1))
        expectBalance(store.metrics, offered: UInt64(threads * each), reduced: UInt64(threads * each))
    }

    @Test("positions that a trim takes out of use are no actions", arguments: [OverflowPolicy.block, .dropNewest])
    func trims(overflow: OverflowPolicy) async {
        let count = 20_000
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: .thread(),
            publication: .onDemand,
            capacity: .bounded(1_000, overflow: overflow)
        )
        let core = store.core
        let isDone = Shared(false)
        await elsewhere {
            onThreads(2) { thread in
                if thread == 0 {
                    // Never more than the capacity at once, so that nothing is dropped for want of room.
                    for number in 0..<count {
                        store.dispatch(number)
                        if number % 300 == 299 { while store.metrics.pending > 100 { sched_yield() } }
                    }
                    isDone.value = true
                } else {
                    while !isDone.value {
                        // In the pipeline, as it does by itself when it is quiet. One at a time: messages, too, take a
                        // place.
                        let isTrimmed = Shared(false)
                        _ = core.send {
                            core.queue.raw.trim()
                            isTrimmed.value = true
                        }
                        while !isTrimmed.value { usleep(20) }
                    }
                }
            }
        }
        await store.drain()
        expectBalance(store.metrics, offered: UInt64(count), reduced: UInt64(count))
    }

    @Test("closing frees the threads that wait", arguments: engines)
    func closingFreesThreads(engine: StoreEngine) async {
        let held = await Held(engine, .bounded(2))
        held.store.dispatch(1)
        let returned = Shared(0)
        for number in 2...6 {
            onNewThread {
                held.store.dispatch(number)
                returned.update { $0 += 1 }
            }
        }
        #expect(await eventually { held.store.waiters == 5 })
        #expect(returned.value == 0)
        onNewThread { held.store.close() }
        #expect(await eventually { returned.value == 5 })
        held.open()
        #expect(await eventually { held.store.metrics.pending == 0 })
        expectBalance(held.store.metrics, offered: 7, reduced: 2, rejected: 5)
    }

    #if DEBUG
        @Test("debug builds stop a wait for room inside withState")
        func waitsInReadSection() async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let store = ReduxStoreBase(
                    initialState: 0,
                    reducer: Reducer<Int, Int>.reduce { _, _ in sleep(5) },
                    capacity: .bounded(1)
                )
                store.dispatch(1)
                store.withState { _ in store.dispatch(2) }
            }
            let message = String(decoding: result.standardErrorContent, as: UTF8.self)
            #expect(message.contains("waiting for room in a bounded store inside a read section (withState)"))
        }
    #endif
}

/// Whether a store that is at rest accounts for every action.
func expectBalance(
    _ counters: StoreMetrics,
    offered: UInt64,
    reduced: UInt64,
    dropped: UInt64 = 0,
    rejected: UInt64 = 0,
    at location: SourceLocation = #_sourceLocation
) {
    let found = [
        counters.offered, counters.reduced, counters.dropped, counters.rejected, counters.cancelled, counters.pending,
    ]
    #expect(found == [offered, reduced, dropped, rejected, 0, 0], sourceLocation: location)
}
