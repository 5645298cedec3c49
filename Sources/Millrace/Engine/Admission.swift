// SPDX-License-Identifier: Apache-2.0

import MillraceCore
public import Synchronization

/// The capacity of a store. The queue itself is unbounded: producers ask this object before they claim a slot.
///
/// The depth is the difference of two positions that the queue keeps anyway, so no action updates a counter for it.
/// Reserved places count as occupied. The depth can exceed the limit in two cases. Producers may claim between another
/// producer's check and its claim. And the capacity does not apply to actions with the flag `Slot.beyondCapacity`.
@usableFromInline
final class Admission: @unchecked Sendable {
    // Unchecked because of the pointer to memory that is shared by design, and of `wakePipeline`, which is set before
    // the store is shared.
    @usableFromInline let queue: QueueHandle
    /// The depth at which a producer must wait or its action is dropped: the capacity. With `.dropOldest` it is twice
    /// the capacity, because the consumer makes room.
    @usableFromInline let limit: UInt64
    @usableFromInline let capacity: UInt64
    @usableFromInline let overflow: OverflowPolicy
    @usableFromInline let waiters = RoomWaiters()
    /// A position that the consumer has reached; see ``room(below:)``.
    @usableFromInline let seen = Atomic<UInt64>(0)
    /// The number of effects that wait for room, of this store or of other shards. A pipeline that waits for effects
    /// goes on while there are any: see ``JournalPort``. Sequentially consistent: an effect counts itself and then
    /// wakes the pipeline; the pipeline looks at the count before it sleeps.
    private let waitingEffects = Atomic<Int>(0)
    /// Wakes a pipeline that waits for effects; nil in a store that does not. Set before the store is shared.
    @exclusivity(unchecked) var wakePipeline: (@Sendable () -> Void)?
    /// Nanoseconds without a change of `waiters.steps` after which a blocked thread takes a place that is reserved for
    /// others.
    private static var patience: UInt64 { 1_000_000_000 }

    private let world: (any StoreWorld)?

    init(queue: QueueHandle, capacity: Int, overflow: OverflowPolicy, world: (any StoreWorld)?) {
        self.world = world
        self.queue = queue
        self.capacity = UInt64(capacity)
        self.overflow = overflow
        limit = overflow == .dropOldest ? UInt64(capacity) &* 2 : UInt64(capacity)
    }

    /// The number of actions that a producer may claim now without waiting; 0 while there are waiters or reservations.
    /// Any thread; a few loads.
    @inlinable
    var room: UInt64 { room(below: limit) }

    /// The number of actions that an offer may push now. An offer is never accepted above the capacity.
    @inlinable
    var roomForOffers: UInt64 { room(below: capacity) }

    /// The consumer writes its position once a batch, so a read of it moves a cache line between two processors. The
    /// position that a producer read last is enough while it leaves room.
    @inlinable
    func room(below bound: UInt64) -> UInt64 {
        guard waiters.isIdle else { return 0 }
        ReadSection.begin()
        let claimed = queue.claimedHint
        ReadSection.end()
        // After the claims, as in millrace_queue_depth_hint. Acquiring: a thread that counts this producer's claim then
        // also counts the progress that made room for it; pairs with `noteProgress`.
        let room = Self.room(below: bound, claimed, seen.load(ordering: .acquiring))
        return room > 0 ? room : Self.room(below: bound, claimed, noteProgress())
    }

    @inlinable @inline(__always)
    static func room(below bound: UInt64, _ claimed: UInt64, _ consumed: UInt64) -> UInt64 {
        let depth = claimed > consumed ? claimed &- consumed : 0
        return depth < bound ? bound &- depth : 0
    }

    /// Reads how far the consumer has come, and keeps it for the next producers. Out of line, as it is rare. If a
    /// thread stores an older position after a newer one, a later producer reads the consumer's position again.
    @usableFromInline @inline(never)
    func noteProgress() -> UInt64 {
        let consumed = queue.consumed
        // Releasing: this thread's look at the consumer's progress; pairs with `room(below:)`.
        seen.store(consumed, ordering: .releasing)
        return consumed
    }

    /// The exact number of free places. Read before an action is dropped, or a producer waits.
    var exactRoom: UInt64 { exactRoom(below: limit) }

    func exactRoom(below bound: UInt64) -> UInt64 {
        waiters.room { exactRoom(below: bound, beside: $0) }
    }

    private func exactRoom(below bound: UInt64, beside reserved: UInt64) -> UInt64 {
        // Reservations first, then the depth: an action that is pushed in between counts twice, rather than not at all.
        let taken = reserved &+ queue.depth
        return taken < bound ? bound - taken : 0
    }

    /// Whether a producer whose action would otherwise be dropped may claim a place: there is no waiter, and there is
    /// room.
    var isRoomForNewcomers: Bool { waiters.count == 0 && exactRoom > 0 }

    /// Whether a producer may claim a place without waiting: there is room, and it is the producer's turn.
    var isRoomWithoutWaiting: Bool { exactRoom > 0 && isTurn(waiting: waiters.count, reserved: waiters.reserved) }

    /// Whether a producer may take a place although others wait, or places are reserved for others.
    ///
    /// With places reserved for others and a queue that is nearly full, it takes a turn: see
    /// ``RoomWaiters/takeTurn()``. Such a queue has actions to handle, so a producer that has to wait is served later
    /// by the consumer.
    private func isTurn(waiting: Int, reserved: UInt64) -> Bool {
        if waiting == 0, reserved == 0 || queue.depth <= limit - limit / 4 { return true }
        return waiters.takeTurn()
    }

    /// The number of free places for the first waiter that enters the line, given the number of reserved ones.
    private func roomOnEntry(_ reserved: UInt64) -> UInt64 {
        let room = exactRoom(below: limit, beside: reserved)
        return room > 0 && isTurn(waiting: 0, reserved: reserved) ? room : 0
    }

    /// How many of the oldest actions the consumer must drop, given the depth and the number of messages in the queue.
    func surplus(of depth: UInt64, beside messages: UInt64) -> UInt64 {
        guard overflow == .dropOldest else { return 0 }
        // If a message is not counted yet, the difference wraps around. The message then counts as an action.
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
        /// The action is dropped or rejected. ``StoreCore/admit()`` has counted it.
        case notAccepted
    }

    /// Whether an effect waits for room.
    var hasWaitingEffects: Bool { waitingEffects.load(ordering: .sequentiallyConsistent) > 0 }

    /// Before an effect waits for room. Any thread.
    func effectBeginsToWait() {
        guard let wakePipeline else { return }
        waitingEffects.add(1, ordering: .sequentiallyConsistent)
        wakePipeline()
    }

    /// After that. Any thread.
    func effectHasWaited() {
        if wakePipeline != nil { waitingEffects.subtract(1, ordering: .sequentiallyConsistent) }
    }

    /// Blocks the thread until there is room, or the store is closed.
    func waitForRoom() -> Answer {
        if isRoomWithoutWaiting { return .free }
        queue.bell.assertProcess()
        ReadSection.assertOutside("waiting for room in a bounded store")
        if spinForRoom() { return .free }
        let gate = Latch()
        let isReserved = Flag()
        let waiter = RoomWaiter()
        waiters.wait(waiter, room: { roomOnEntry($0) }) { outcome in
            // Relaxed: the latch orders it.
            isReserved.value.store(outcome == .reserved, ordering: .relaxed)
            gate.open()
        }
        // A place may be reserved for a task that needs this very thread to run (the main thread, or the last one of
        // the pool). So this thread does not wait for a reservation that does not end.
        var steps = waiters.steps
        while !wait(gate) {
            waiters.serveStalled(waiter, since: steps) { batchOfRoom(beside: 0, queue.depth) > 0 }
            steps = waiters.steps
        }
        return isReserved.value.load(ordering: .relaxed) ? .reserved : .notAccepted
    }

    private func wait(_ gate: Latch) -> Bool {
        guard let world else { return gate.wait(nanoseconds: Self.patience) }
        return world.block("waits for room", atMost: Self.patience) { gate.wait(nanoseconds: 0) }
    }

    /// Suspends until a place is reserved, the store is closed, or the task is cancelled.
    func reserveRoom() async -> RoomWaiter.Outcome {
        let waiter = RoomWaiter()
        return await withTaskCancellationHandler {
            await suspend { task in
                waiters.wait(waiter, room: { roomOnEntry($0) }) { task.resume(returning: $0) }
            }
        } onCancel: {
            waiters.cancel(waiter)
        }
    }

    /// Ends a reservation: its action is in the queue, is pushed next, or will not be sent. Any thread.
    func endReservation() {
        waiters.endReservation { batchOfRoom(beside: $0, queue.depth) }
    }

    /// Reserves free places for waiters. The consumer calls it after each report.
    func serveWaiters() {
        guard waiters.count > 0 else { return }
        waiters.serve { batchOfRoom(beside: $0, queue.depthHint) }
    }

    /// Returns the number of free places. With `.block` it is 0 until a quarter of the capacity is free, so that not
    /// every batch wakes a waiter. With the other policies, which drop actions instead, any free place counts.
    private func batchOfRoom(beside reserved: UInt64, _ depth: UInt64) -> UInt64 {
        let taken = reserved &+ depth
        return taken <= limit - (overflow == .block ? max(1, limit / 4) : 1) ? limit - taken : 0
    }

    /// Spins until there is room, for a short time. A busy consumer makes room within microseconds; that is faster than
    /// a sleep and a wake-up.
    private func spinForRoom() -> Bool {
        guard System.processors > 1, world == nil else { return false }
        for _ in 0..<20 {
            System.pause(64)
            guard waiters.count == 0 else { return false }
            if isRoomWithoutWaiting { return true }
        }
        return false
    }
}

/// A flag that is set for a thread while it sleeps.
private final class Flag: Sendable {
    let value = Atomic<Bool>(false)
}
