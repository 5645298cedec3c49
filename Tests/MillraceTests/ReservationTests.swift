// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Millrace

/// Places that are reserved for somebody who has not sent yet, and what the others may do meanwhile.
@Suite("Reservations in a bounded store", .timeLimit(.minutes(5)))
struct ReservationTests {
    private func store(
        _ engine: StoreEngine,
        capacity: Int,
        _ handle: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { action, _, _ in
                handle(action)
                return .pure()
            },
            engine: engine,
            capacity: .bounded(capacity)
        )
    }

    /// As somebody who is granted a place at once.
    private func reserve(in store: ReduxStoreBase<Int, Int>) throws -> Admission {
        let admission = try #require(store.core.admission)
        admission.waiters.wait(RoomWaiter(), room: { _ in 1 }) { _ in }
        return admission
    }

    @Test(
        "a blocked thread goes on though the place is reserved for a task, also behind a task that waits",
        arguments: [false, true]
    )
    func blockedThread(isBehindATask: Bool) async throws {
        let store = store(.thread(), capacity: 1)
        let admission = try reserve(in: store)
        // Both tasks could need the thread that is blocked.
        let task = RoomWaiter()
        if isBehindATask { admission.waiters.wait(task, room: { _ in 0 }) { _ in } }
        let isSent = Shared(false)
        onNewThread {
            store.dispatch(1)
            isSent.value = true
        }
        // The reservation is not ended: the thread does not depend on that.
        #expect(await eventually { isSent.value })
        #expect(admission.waiters.reserved == 1)
        #expect(admission.waiters.count == (isBehindATask ? 1 : 0))
        admission.waiters.cancel(task)
        admission.endReservation()
        await store.drain()
        #expect(store.state == 1)
    }

    @Test("a waiter is served out of turn only while nobody gets on, and while something is reserved")
    func stalls() {
        let waiters = RoomWaiters()
        let (first, second) = (RoomWaiter(), RoomWaiter())
        let served = Recorder<Int>()
        waiters.wait(first, room: { _ in 0 }) { _ in served.record(1) }
        waiters.wait(second, room: { _ in 0 }) { _ in served.record(2) }
        waiters.serveStalled(second, since: waiters.steps) { true }
        #expect(served.all == [], "nothing is reserved")
        let before = waiters.steps
        waiters.serve { _ in 1 }
        waiters.serveStalled(second, since: before) { true }
        #expect(served.all == [1], "the first one got on meanwhile")
        waiters.serveStalled(second, since: waiters.steps) { false }
        #expect(served.all == [1], "there is no room")
        waiters.serveStalled(second, since: waiters.steps) { true }
        #expect(served.all == [1, 2])
        #expect(waiters.reserved == 2 && waiters.count == 0)
        waiters.serveStalled(second, since: waiters.steps) { true }
        #expect(waiters.reserved == 2, "it is served already")
    }

    @Test("a sender ends its reservation before the pipeline runs inside of it")
    func endsBeforeThePipelineRuns() async throws {
        let (admission, reserved) = (Shared<Admission?>(nil), Recorder<UInt64>())
        let store = store(.caller, capacity: 1) { _ in
            if let admission = admission.value { reserved.record(admission.waiters.reserved) }
        }
        // As long as the only place is reserved, a sender waits for it.
        admission.value = try reserve(in: store)
        let sender = Task { try await store.send(1) }
        #expect(await eventually { store.waiters == 1 })
        admission.value?.endReservation()
        try await sender.value
        #expect(reserved.all == [0])
        #expect(store.state == 1)
    }

    @Test("a report is exact when the action sticks that is handled while others are dropped")
    func countsDrops() async {
        let (entered, release) = (Recorder<Int>(), DispatchSemaphore(value: 0))
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { action, _, _ in
                entered.record(action)
                if action <= 0 { release.wait() }
                return .pure()
            },
            engine: .thread(),
            capacity: .bounded(2, overflow: .dropOldest)
        )
        store.dispatch(0)
        #expect(await eventually { entered.count == 1 })
        store.dispatch(1)
        // Not dropped, but handled in its place, when room is made for two.
        store.dispatch(control: -1)
        store.dispatch(2)
        store.dispatch(control: 3)
        release.signal()
        #expect(await eventually { entered.count == 2 })
        let report = await store.shutdown(deadline: .milliseconds(20))
        #expect(report.stuckHandler?.actionNumber == 2)
        #expect(report.metrics.reduced == 1)
        #expect(report.metrics.dropped == 1)
        release.signal()
        #expect(await store.shutdown().isComplete)
    }

    @Test("inside withState a dispatch goes in where there is room beside what is reserved")
    func insideARead() throws {
        let store = store(.thread(), capacity: 2)
        let admission = try reserve(in: store)
        store.withState { _ in store.dispatch(1) }
        admission.endReservation()
        #expect(store.metrics.offered == 1)
    }

    @Test("a sender that waits while a sharded store shuts down is refused")
    func shardsClose() async {
        let (isHandling, isOpen) = (Shared(false), Shared(false))
        let shards = ShardedStore(
            shards: 2,
            by: { (number: Int) in number },
            initialState: { _ in 0 },
            reducer: counting(Int.self),
            middleware: { _ in
                Handle<Int, Int> { action, _, _ in
                    guard action == 0 else { return .pure() }
                    isHandling.value = true
                    while !isOpen.value { usleep(1_000) }
                    return .pure()
                }
            },
            capacity: .bounded(1)
        )
        shards.dispatch(0)
        #expect(await eventually { isHandling.value })
        let held = shards.shards.first { $0.metrics.depth > 0 }
        let sender = Task { try await shards.send(0) }
        #expect(await eventually { held?.waiters == 1 })
        let end = Task { await shards.shutdown(deadline: .seconds(30)) }
        await #expect(throws: SendError.closed) { try await sender.value }
        isOpen.value = true
        let isComplete = await end.value.allSatisfy { $0.isComplete }
        #expect(isComplete)
        #expect(shards.metrics.rejected == 1)
        #expect(shards.metrics.reduced == 1)
    }
}
