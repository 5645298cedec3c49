// SPDX-License-Identifier: Apache-2.0

public import CMillrace
import Synchronization

/// The bound of a store's queue: asked before a slot is claimed, so that the queue itself knows no bound.
///
/// Depth is the difference of two positions which exist anyway; no counter is added an action. Between the look and the
/// claim others may get in: each producer in flight can overshoot by what it then claims.
@usableFromInline
final class Admission: @unchecked Sendable {
    // Unchecked because of the pointer, to memory that is shared by design.
    @usableFromInline let queue: UnsafeMutablePointer<millrace_queue>
    /// Depth from which on nobody gets in unasked: the capacity, or twice that where the consumer makes room itself.
    @usableFromInline let limit: UInt64
    @usableFromInline let capacity: UInt64
    @usableFromInline let overflow: OverflowPolicy
    @usableFromInline let waiters = RoomWaiters()

    init(queue: UnsafeMutablePointer<millrace_queue>, capacity: Int, overflow: OverflowPolicy) {
        self.queue = queue
        self.capacity = UInt64(capacity)
        self.overflow = overflow
        limit = overflow == .dropOldest ? UInt64(capacity) &* 2 : UInt64(capacity)
    }

    /// How many may go in now, unasked: none while others wait for room. Any thread; a few loads.
    @inlinable
    var room: UInt64 { room(below: limit) }

    /// The same for an offer, which makes no room for itself: none once the capacity is reached.
    @inlinable
    var roomForOffers: UInt64 { room(below: capacity) }

    @inlinable
    func room(below bound: UInt64) -> UInt64 {
        guard waiters.isEmpty else { return 0 }
        millrace_read_begin()
        let depth = millrace_queue_depth_hint(queue)
        millrace_read_end()
        return depth < bound ? bound - depth : 0
    }

    /// The same, exactly: for decisions that cost somebody an action or a wait.
    var exactRoom: UInt64 { exactRoom(below: limit) }

    func exactRoom(below bound: UInt64) -> UInt64 {
        let depth = millrace_queue_depth(queue)
        return depth < bound ? bound - depth : 0
    }

    /// Whether somebody may go in without standing in line.
    var isRoomForNewcomers: Bool { waiters.isEmpty && exactRoom > 0 }

    /// What the consumer throws away of a queue of this depth to make room, oldest first, if so many messages wait
    /// beside the actions.
    func surplus(of depth: UInt64, beside messages: UInt64) -> UInt64 {
        guard overflow == .dropOldest else { return 0 }
        // A message that is not counted as offered yet makes the difference negative: then it is taken for an action.
        let fits = capacity &+ (messages < depth ? messages : 0)
        return depth > fits ? depth - fits : 0
    }

    /// Blocks the thread until there is room. False: the store closed.
    func waitForRoom() -> Bool {
        millrace_assert_outside_read_section("waiting for room in a bounded store")
        if isRoomForNewcomers || spinForRoom() { return true }
        let gate = Latch()
        let isGranted = Granted()
        waiters.wait(waiters.makeID(), lookAgain: { $0 && exactRoom > 0 ? .granted : nil }) { outcome in
            // Relaxed: the gate orders it.
            isGranted.value.store(outcome == .granted, ordering: .relaxed)
            gate.open()
        }
        gate.wait()
        return isGranted.value.load(ordering: .relaxed)
    }

    /// A consumer that keeps going makes room in some microseconds: less than it takes to sleep and be woken.
    private func spinForRoom() -> Bool {
        guard millrace_processor_count() > 1 else { return false }
        for _ in 0..<20 {
            for _ in 0..<64 { millrace_pause() }
            guard waiters.isEmpty else { return false }
            if exactRoom > 0 { return true }
        }
        return false
    }

    /// The consumer, after it reported: lets those in that wait, once a quarter of the capacity is free, so that not
    /// every batch wakes somebody. Where others are dropped instead, and so do not queue up, at once.
    func serveWaiters() {
        guard !waiters.isEmpty else { return }
        let depth = millrace_queue_depth_hint(queue)
        guard depth <= limit - (overflow == .block ? max(1, limit / 4) : 1) else { return }
        waiters.grant(Int(limit - depth))
    }
}

/// What a thread was told while it slept.
private final class Granted: Sendable {
    let value = Atomic<Bool>(false)
}
