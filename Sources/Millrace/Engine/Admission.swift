// SPDX-License-Identifier: Apache-2.0

public import CMillrace
import Synchronization

/// The bound of a store. The queue is unbounded: producers ask this object before they claim a slot.
///
/// Depth is the difference of two positions that the queue has anyway, so no action updates a counter for it. Places
/// that are reserved count as taken. The depth can exceed the bound by what producers claim between their check and
/// their claim, and by actions that are exempt.
@usableFromInline
final class Admission: @unchecked Sendable {
    // Unchecked because of the pointer, to memory that is shared by design.
    @usableFromInline let queue: UnsafeMutablePointer<millrace_queue>
    /// Depth at which a producer must wait or is refused: the capacity, or twice that where the consumer makes room.
    @usableFromInline let limit: UInt64
    @usableFromInline let capacity: UInt64
    @usableFromInline let overflow: OverflowPolicy
    @usableFromInline let waiters = RoomWaiters()
    /// Nanoseconds without a step of the line after which a blocked thread takes a place that is reserved for others.
    private static var patience: UInt64 { 1_000_000_000 }

    init(queue: UnsafeMutablePointer<millrace_queue>, capacity: Int, overflow: OverflowPolicy) {
        self.queue = queue
        self.capacity = UInt64(capacity)
        self.overflow = overflow
        limit = overflow == .dropOldest ? UInt64(capacity) &* 2 : UInt64(capacity)
    }

    /// How many actions a producer may claim now without waiting: none while others wait or have reservations. Any
    /// thread; a few loads.
    @inlinable
    var room: UInt64 { room(below: limit) }

    /// The same for an offer, which is never taken above the capacity.
    @inlinable
    var roomForOffers: UInt64 { room(below: capacity) }

    @inlinable
    func room(below bound: UInt64) -> UInt64 {
        guard waiters.isIdle else { return 0 }
        millrace_read_begin()
        let depth = millrace_queue_depth_hint(queue)
        millrace_read_end()
        return depth < bound ? bound - depth : 0
    }

    /// The exact number of free places. Read before an action is dropped, or a producer waits.
    var exactRoom: UInt64 { exactRoom(below: limit) }

    func exactRoom(below bound: UInt64) -> UInt64 {
        exactRoom(below: bound, beside: waiters.reserved)
    }

    private func exactRoom(below bound: UInt64, beside reserved: UInt64) -> UInt64 {
        // Reservations first, then the depth: an action that goes in meanwhile is counted twice rather than not at all.
        let taken = reserved &+ millrace_queue_depth(queue)
        return taken < bound ? bound - taken : 0
    }

    /// Whether a producer may claim without waiting.
    var isRoomForNewcomers: Bool { waiters.count == 0 && exactRoom > 0 }

    /// How many of the oldest actions the consumer must drop, given the depth and the number of messages in the queue.
    func surplus(of depth: UInt64, beside messages: UInt64) -> UInt64 {
        guard overflow == .dropOldest else { return 0 }
        // A message that is not counted yet makes the difference wrap around. It is then treated as an action.
        let fits = capacity &+ (messages < depth ? messages : 0)
        return depth > fits ? depth - fits : 0
    }

    /// The answer to a dispatch that found the queue full.
    @usableFromInline
    enum Answer {
        /// There is room now.
        case free
        /// A place is reserved until `endReservation`.
        case reserved
        case refused
    }

    /// Blocks the thread until there is room, or the store is closed.
    func waitForRoom() -> Answer {
        if isRoomForNewcomers { return .free }
        millrace_assert_outside_read_section("waiting for room in a bounded store")
        if spinForRoom() { return .free }
        let gate = Latch()
        let isReserved = Flag()
        let waiter = RoomWaiter()
        waiters.wait(waiter, room: { exactRoom(below: limit, beside: $0) }) { outcome in
            // Relaxed: the latch orders it.
            isReserved.value.store(outcome == .reserved, ordering: .relaxed)
            gate.open()
        }
        // A place may be reserved for a task that needs this very thread to go on (the main thread, or the last one of
        // the pool). So this thread does not wait for reservations that do not end.
        var steps = waiters.steps
        while !gate.wait(nanoseconds: Self.patience) {
            waiters.serveStalled(waiter, since: steps) { batchOfRoom(beside: 0, millrace_queue_depth(queue)) > 0 }
            steps = waiters.steps
        }
        return isReserved.value.load(ordering: .relaxed) ? .reserved : .refused
    }

    /// Suspends until there is room, the store is closed, or the task is cancelled.
    func reserveRoom() async -> RoomWaiter.Outcome {
        let waiter = RoomWaiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { task in
                waiters.wait(waiter, room: { exactRoom(below: limit, beside: $0) }) { task.resume(returning: $0) }
            }
        } onCancel: {
            waiters.cancel(waiter)
        }
    }

    /// Ends a reservation, when its action is in the queue, is pushed next, or will not be sent. Any thread.
    func endReservation() {
        waiters.endReservation { batchOfRoom(beside: $0, millrace_queue_depth(queue)) }
    }

    /// Called by the consumer after each report: grants free places to waiters.
    func serveWaiters() {
        guard waiters.count > 0 else { return }
        waiters.serve { batchOfRoom(beside: $0, millrace_queue_depth_hint(queue)) }
    }

    /// The number of free places. With `.block` it is 0 until a quarter of the capacity is free, so that not every
    /// batch wakes a waiter. With the other policies, which drop actions instead, any free place counts.
    private func batchOfRoom(beside reserved: UInt64, _ depth: UInt64) -> UInt64 {
        let taken = reserved &+ depth
        return taken <= limit - (overflow == .block ? max(1, limit / 4) : 1) ? limit - taken : 0
    }

    /// A consumer that keeps going makes room in some microseconds: less than it takes to sleep and be woken.
    private func spinForRoom() -> Bool {
        guard millrace_processor_count() > 1 else { return false }
        for _ in 0..<20 {
            for _ in 0..<64 { millrace_pause() }
            guard waiters.count == 0 else { return false }
            if exactRoom > 0 { return true }
        }
        return false
    }
}

/// What a thread was told while it slept.
private final class Flag: Sendable {
    let value = Atomic<Bool>(false)
}
