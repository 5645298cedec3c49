// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Millrace

/// What a store does when it has nothing to do: publications that are due, memory to give back, and then nothing.
@Suite("Upkeep", .serialized, .timeLimit(.minutes(5)))
struct UpkeepTests {
    private static let slow = Publication.atMost(every: .seconds(3_600))

    private func makeStore(_ engine: StoreEngine, _ publication: Publication) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: engine, publication: publication)
    }

    @Test(
        "a queue has no timer for a state that nobody asks for, and one for a publication that is far away",
        arguments: [Publication.onDemand, .batch, .everyAction, slow]
    )
    func noTimers(publication: Publication) async throws {
        let store = makeStore(.queue(DispatchQueue(label: "idle")), publication)
        store.dispatch(contentsOf: 0..<10)
        await store.drain()
        store.dispatch(contentsOf: 0..<10)
        #expect(await eventually { store.metrics.reduced == 20 })
        let engine = try #require(store.core.host as? QueueEngine)
        // A timer to give memory back, 50 ms after the burst; a second one if that fired too early.
        #expect(await eventually { engine.upkeeps.load(ordering: .relaxed) > 0 })
        if publication != Self.slow { #expect(await eventually { !engine.isUpkeepScheduled }) }
        // A store that is not idle has one every 50 ms, for ever. So has one whose old states another test still reads.
        var isQuiet = false
        for _ in 0..<200 where !isQuiet {
            let upkeeps = engine.upkeeps.load(ordering: .relaxed)
            usleep(300_000)
            isQuiet = engine.upkeeps.load(ordering: .relaxed) == upkeeps
        }
        #expect(isQuiet, "an idle store wakes nobody")
        #expect(engine.isUpkeepScheduled == (publication == Self.slow))
        #expect(store.state == (publication == Self.slow ? 10 : 20))
    }

    @Test("while a reader holds the memory of a store, its idle thread looks ever more rarely")
    func longRead() async {
        let store = makeStore(.thread(name: "long-read", wait: .park), .everyAction)
        let (isInside, isOver) = (DispatchSemaphore(value: 0), Shared(false))
        onNewThread {
            store.withState { _ in
                isInside.signal()
                while !isOver.value { usleep(1_000) }
            }
        }
        #expect(await eventually { isInside.wait(timeout: .now()) == .success })
        store.dispatch(contentsOf: 0..<10)
        #expect(await eventually { store.metrics.reduced == 10 })
        usleep(300_000)
        let before = voluntarySwitches(ofThreadNamed: "long-read") ?? 0
        usleep(2_000_000)
        let switches = (voluntarySwitches(ofThreadNamed: "long-read") ?? .max) - before
        // A look every 50 ms would be 40 switches.
        #expect(switches <= 12)
        isOver.value = true
        await store.drain()
    }

    @Test("a publication that is due is not held up by a timer for something else")
    func dueInTime() async {
        let queue = DispatchQueue(label: "due")
        let store = makeStore(.queue(queue), .atMost(every: .milliseconds(20)))
        for _ in 0..<20 {
            store.dispatch(1)
            await store.drain()
            let before = store.state
            // The timer for giving memory back is set, 50 ms away; this one is due in 20 ms.
            store.dispatch(1)
            // After the turn that takes it. A turn that was just ending submits that one, and a turn of more than a
            // millisecond submits another one before it sets a timer.
            var isInTime = false
            for _ in 0..<10 where !isInTime {
                let (state, wait): (Int, UInt64?) = await withCheckedContinuation { task in
                    queue.async {
                        task.resume(returning: (store.state, (store.core.host as? QueueEngine)?.nanosecondsToUpkeep))
                    }
                }
                isInTime = state == before + 1 || wait.map { $0 <= 20_000_000 } == true
            }
            #expect(isInTime)
            #expect(await eventually { store.state == before + 1 })
        }
    }

    @Test("the last state is published, whatever timers fire while a turn ends", arguments: [false, true])
    func lastState(isConcurrent: Bool) async {
        let queue = DispatchQueue(label: "last", attributes: isConcurrent ? .concurrent : [])
        let stores = (0..<20).map { _ in makeStore(.queue(queue), .atMost(every: .milliseconds(1))) }
        for round in 1...(isSanitized ? 5 : 50) {
            for store in stores {
                store.dispatch(1)
                usleep(UInt32((round * 37) % 100))
                store.dispatch(1)
            }
            for store in stores { #expect(await eventually { store.state == 2 * round }) }
        }
    }

    @Test(
        "memory of a burst goes back though the next publication is far away, in days or in thousands of years",
        arguments: [StoreEngine.thread(), .queue(DispatchQueue(label: "far"))],
        [Duration.seconds(3_600), .seconds(400 * 86_400), .seconds(Int64.max)]
    )
    func memoryBack(engine: StoreEngine, wait: Duration) async {
        let store = makeStore(engine, .atMost(every: wait))
        store.dispatch(contentsOf: 0..<1_000_000)
        #expect(await eventually { store.metrics.reduced == 1_000_000 && store.metrics.queueSegments <= 2 })
        #expect(store.metrics.queueSegments <= 2)
    }

    @Test("who waits for room is served though others keep asking", arguments: OverflowPolicy.allCases)
    func lineIsKept(overflow: OverflowPolicy) async {
        let gate = DispatchSemaphore(value: 0)
        let sentAndReduced = Shared(0)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, count in
                if count == 0 { gate.wait() } else { usleep(200) }
                if action == 2 { sentAndReduced.update { $0 += 1 } }
                count += 1
            },
            capacity: .bounded(16, overflow: overflow)
        )
        let isOver = Shared(false)
        let (offered, refused) = (Shared<UInt64>(0), Shared<UInt64>(0))
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            onNewThread {
                while !isOver.value {
                    if store.offer(1) != .accepted { refused.update { $0 += 1 } }
                    offered.update { $0 += 1 }
                    usleep(20)
                }
                done.signal()
            }
        }
        #expect(await eventually { store.metrics.depth >= 16 })
        gate.signal()
        await withDiscardingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    await #expect(throws: Never.self) { try await store.send(2) }
                }
            }
        }
        await elsewhere { store.dispatch(3) }
        isOver.value = true
        await elsewhere { for _ in 0..<2 { done.wait() } }
        #expect(await eventually { store.metrics.pending == 0 })
        let counters = store.metrics
        #expect(counters.offered == offered.value + 21)
        // Refused offers and nothing else: every send went in.
        #expect(counters.rejected == refused.value)
        #expect(counters.reduced + counters.dropped == counters.offered - counters.rejected)
        // One that is in may be dropped as the oldest; elsewhere none is.
        if overflow != .dropOldest { #expect(sentAndReduced.value == 20) }
    }

    @Test("threads and tasks that wait for room are let in first come, first served", arguments: engines)
    func lineIsInOrder(engine: StoreEngine) async throws {
        // Room for one at a time: of those that are let in together any may be the first.
        let held = await CapacityTests.Held(engine, .bounded(1))
        var senders: [Task<Void, any Error>] = []
        for number in 1...16 {
            if number % 2 == 0 {
                onNewThread { held.store.dispatch(number) }
            } else {
                senders.append(Task { try await held.store.send(number) })
            }
            #expect(await eventually { held.store.waiters == number })
        }
        let start = ContinuousClock.now
        held.open()
        for sender in senders { try await sender.value }
        #expect(await eventually { held.store.metrics.reduced == 17 })
        let state = held.store.state
        // A thread takes the place of a task that has not used it for a second, as on a machine that is overloaded.
        if ContinuousClock.now - start < .seconds(1) { #expect(state == Array(0...16)) }
        #expect(state.filter { $0 % 2 == 1 } == Array(stride(from: 1, through: 15, by: 2)))
        #expect(state.filter { $0 % 2 == 0 } == Array(stride(from: 0, through: 16, by: 2)))
        expectBalance(held.store.metrics, offered: 17, reduced: 17)
    }

    @Test("who waits in line behind a cancelled one is served")
    func cancelledFirst() async {
        for _ in 0..<(isSanitized ? 20 : 200) {
            let gate = DispatchSemaphore(value: 0)
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { action, count in
                    if action == 0 { gate.wait() }
                    count += 1
                },
                capacity: .bounded(1)
            )
            store.dispatch(0)
            let first = Task { try await store.send(1) }
            let second = Task { try await store.send(2) }
            #expect(await eventually { (store.core.admission?.waiters.count ?? 0) > 0 })
            first.cancel()
            gate.signal()
            _ = await first.result
            #expect(await second.result.isSuccess)
        }
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
