// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Millrace

/// Single steps of the engines, each at the moment at which leaving it out would lose a wake-up.
@Suite("Steps of the engines", .timeLimit(.minutes(5)))
struct EngineStepTests {
    private func store(_ engine: StoreEngine) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: engine)
    }

    @Test("where a baton makes the consumer, producers run the full barrier themselves", arguments: engines)
    func symmetricBell(engine: StoreEngine) {
        let store = store(engine)
        let core = store.core
        // With the sleeper's barrier only, a producer could publish without seeing that the baton was given back.
        let isSymmetric = core.queue.raw.bell.pointer.pointee.asymmetric == 0
        #expect(core.needsKick == !isThread(engine))
        #expect(isSymmetric || !core.needsKick)
        withExtendedLifetime(store) {}
    }

    private func isThread(_ engine: StoreEngine) -> Bool {
        if case .thread = engine.kind { true } else { false }
    }

    /// An action that is really slow makes batches smaller, and here each one may be: the processor may be taken away. So
    /// one store of several is enough.
    @Test("the pauses between single actions do not make batches smaller", arguments: engines)
    func pausesAreNoBatches(engine: StoreEngine) async {
        var last: [Int] = []
        for _ in 0..<20 where last.allSatisfy({ $0 < 8 }) {
            let limit = Shared<(@Sendable () -> Int)?>(nil)
            let seen = Shared(0)
            let store = ReduxStoreBase<Int, Int>(
                initialState: 0,
                reducer: .reduce { _, _ in seen.value = limit.value?() ?? 0 },
                engine: engine
            )
            let consumer = store.core.consumer
            limit.value = { consumer.budget.limit }
            for _ in 0..<4 {
                store.dispatch(1)
                await store.drain()
                usleep(5_000)
            }
            last.append(seen.value)
        }
        #expect(last.contains { $0 >= 8 }, "\(last)")
    }

    @Test("a timer that fires while a turn is ending is served in the next turn")
    func missedTimer() async throws {
        let store = store(.queue(DispatchQueue(label: "missed timer")))
        let engine = try #require(store.core.host as? QueueEngine)
        let consumer = store.core.consumer
        store.dispatch(1)
        await store.drain()
        // As in the turn that has looked at the timer already.
        #expect(await eventually { consumer.baton.tryTake() })
        engine.timer.store(7, ordering: .relaxed)
        engine.upkeep(7, quietSince: nil)
        let submissions = consumer.shared.submissions.load(ordering: .relaxed)
        engine.giveBack()
        #expect(consumer.shared.submissions.load(ordering: .relaxed) == submissions + 1)
    }

    @Test("a turn that has given the baton back leaves the mark of a missed timer to the turn that has it now")
    func missedTimerOfTheNextTurn() async throws {
        let store = store(.queue(DispatchQueue(label: "next turn", attributes: .concurrent)))
        let engine = try #require(store.core.host as? QueueEngine)
        let consumer = store.core.consumer
        func submissions() -> UInt64 { consumer.shared.submissions.load(ordering: .relaxed) }
        store.dispatch(1)
        await store.drain()
        // As in the next turn, which has looked at the timer already.
        #expect(await eventually { consumer.baton.tryTake() })
        engine.timer.store(7, ordering: .relaxed)
        engine.upkeep(7, quietSince: nil)
        let before = submissions()
        engine.lookAgain(hasMore: false)
        #expect(submissions() == before)
        engine.giveBack()
        #expect(submissions() == before + 1)
        // The turn that was submitted takes the mark away. Another timer may fire meanwhile.
        let timers = UInt64(engine.upkeeps.load(ordering: .relaxed))
        #expect(await eventually { consumer.baton.tryTake() })
        engine.giveBack()
        #expect(submissions() - before <= 1 + UInt64(engine.upkeeps.load(ordering: .relaxed)) - timers)
    }

    @Test("a timer that was missed does not keep the turns of a store going that has ended")
    func missedTimerAfterTheEnd() async throws {
        let store = store(.queue(DispatchQueue(label: "after the end")))
        let engine = try #require(store.core.host as? QueueEngine)
        let consumer = store.core.consumer
        _ = await store.shutdown()
        #expect(await eventually { consumer.baton.tryTake() })
        engine.timer.store(7, ordering: .relaxed)
        engine.upkeep(7, quietSince: nil)
        let before = consumer.shared.submissions.load(ordering: .relaxed)
        engine.giveBack()
        #expect(await eventually { consumer.baton.tryTake() })
        engine.giveBack()
        #expect(consumer.shared.submissions.load(ordering: .relaxed) == before + 1)
    }

    @Test("an intake that ends while the baton is held is seen by whoever gives it back, by .caller")
    func endsWhileCallerHolds() async {
        let store = store(.caller)
        let consumer = store.core.consumer
        #expect(consumer.baton.tryTake())
        store.close()
        #expect(await eventually { consumer.hasIntakeEnded })
        #expect(CallerEngine.giveBack(consumer))
        CallerEngine.drain(consumer)
        #expect(consumer.isFinished)
    }

    @Test("the same by .queue and .main", arguments: [StoreEngine.queue(DispatchQueue(label: "held baton")), .main])
    func endsWhileTurnRuns(engine: StoreEngine) async throws {
        let store = store(engine)
        let consumer = store.core.consumer
        #expect(consumer.baton.tryTake())
        store.close()
        #expect(await eventually { consumer.hasIntakeEnded })
        #expect(!consumer.isFinished)
        try #require(store.core.host as? QueueEngine).giveBack()
        #expect(await eventually { consumer.isFinished })
    }

    @Test("a thread that is about to sleep sees that the intake has ended, and that an action came")
    func park() {
        let ended = store(.caller)
        withExtendedLifetime(ended) {
            let consumer = ended.core.consumer
            let engine = ThreadEngine(consumer: consumer, wait: .park)
            // Nobody rings: the time runs out.
            #expect(!engine.park(atMost: 1_000_000))
            _ = consumer.lifecycle.close(isOnlyReference: true)
            #expect(engine.park(atMost: 5_000_000_000))
        }
        let pushed = store(.caller)
        withExtendedLifetime(pushed) {
            let core = pushed.core
            #expect(core.consumer.baton.tryTake())
            _ = core.queue.push(1, source: .here(), cause: .none, run: nil, flags: 0, admits: { true })
            #expect(ThreadEngine(consumer: core.consumer, wait: .park).park(atMost: 5_000_000_000))
            _ = CallerEngine.drainHolding(core.consumer)
            #expect(core.consumer.counters.pointee.reduced == 1)
        }
    }

    @Test("while somebody waits for room nobody passes, though there is some", arguments: OverflowPolicy.allCases)
    func nobodyPasses(overflow: OverflowPolicy) throws {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: .caller,
            capacity: .bounded(8, overflow: overflow)
        )
        let admission = try #require(store.core.admission)
        let waiter = RoomWaiter()
        admission.waiters.wait(waiter, room: { _ in 0 }) { _ in }
        #expect(admission.room == 0)
        #expect(!admission.isRoomForNewcomers)
        #expect(!store.core.hasRoomNow)
        #expect(store.offer(1) == .full)
        #expect(store.offer(contentsOf: [1, 2]) == OfferedActions(accepted: 0, result: .full))
        admission.waiters.cancel(waiter)
        #expect(store.offer(1) == .accepted)
    }

    @Test("places that are reserved are no room for others")
    func reserved() throws {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: .caller,
            capacity: .bounded(2, overflow: .dropNewest)
        )
        let admission = try #require(store.core.admission)
        for _ in 0..<2 { admission.waiters.wait(RoomWaiter(), room: { _ in 1 }) { _ in } }
        #expect(admission.waiters.reserved == 2)
        #expect(store.offer(1) == .full)
        store.dispatch(2)
        #expect(store.metrics.dropped == 1)
        admission.endReservation()
        #expect(store.offer(3) == .accepted)
        admission.endReservation()
        #expect(admission.waiters.isIdle)
    }

    @Test("an urgent action that comes while the baton is held is seen by whoever gives it back")
    func urgentWhileCallerHolds() {
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
        let consumer = store.core.consumer
        #expect(consumer.baton.tryTake())
        store.dispatch(urgent: 1)
        #expect(CallerEngine.giveBack(consumer))
        CallerEngine.drain(consumer)
        #expect(store.state == 1)
    }

    @Test("a thread waits in line behind those who wait, though there is room")
    func nobodyPassesTheLine() throws {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: .caller,
            capacity: .bounded(8)
        )
        let admission = try #require(store.core.admission)
        #expect(admission.isRoomWithoutWaiting)
        let waiter = RoomWaiter()
        admission.waiters.wait(waiter, room: { _ in 0 }) { _ in }
        #expect(!admission.isRoomWithoutWaiting)
        admission.waiters.cancel(waiter)
        #expect(admission.isRoomWithoutWaiting)
    }

    @Test("a release does not handle what waits on the thread that released")
    func releasesWhileActionsWait() async throws {
        let queue = DispatchQueue(label: "release")
        queue.suspend()
        let store = store(.queue(queue))
        let core = store.core
        let engine = try #require(core.host as? QueueEngine)
        // As a producer that has not asked for a turn yet.
        _ = core.queue.push(1, source: .here(), cause: .none, run: nil, flags: 0, admits: { true })
        _ = core.consumer.lifecycle.close(isOnlyReference: true)
        #expect(engine.finishIdle(while: { true }))
        #expect(core.consumer.counters.pointee.reduced == 0)
        queue.resume()
        #expect(await eventually { core.consumer.isFinished })
        #expect(core.metrics.reduced == 1)
    }

    @Test("turns leave a timer alone that fires early enough")
    func oneTimer() async throws {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: .queue(DispatchQueue(label: "timers")),
            publication: .atMost(every: .seconds(3_600))
        )
        let engine = try #require(store.core.host as? QueueEngine)
        let begin = ContinuousClock.now
        // Each in a turn of its own.
        for number in 1...300 {
            store.dispatch(number)
            #expect(await eventually { store.metrics.reduced == UInt64(number) })
        }
        #expect(await eventually { engine.upkeeps.load(ordering: .relaxed) > 0 })
        try await Task.sleep(for: .milliseconds(100))
        // A timer waits until the store has been quiet for 50 ms, so none follows another one sooner.
        let fired = engine.upkeeps.load(ordering: .relaxed)
        #expect(fired <= Int((ContinuousClock.now - begin) / .milliseconds(50)) + 1)
    }
}
