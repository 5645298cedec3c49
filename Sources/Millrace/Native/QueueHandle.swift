// SPDX-License-Identifier: Apache-2.0

public import CMillrace
import Glibc

/// The C queue, without the type of its actions. `millrace_queue.h` says which calls may run together.
@usableFromInline
struct QueueHandle: @unchecked Sendable {
    // Unchecked because it is a pointer to memory that is shared by design.
    @usableFromInline let pointer: UnsafeMutablePointer<millrace_queue>

    @inlinable
    init(_ pointer: UnsafeMutablePointer<millrace_queue>) {
        self.pointer = pointer
    }

    /// The queue at an address; nil if the address is 0.
    init?(bitPattern: UInt) {
        guard let pointer = UnsafeMutablePointer<millrace_queue>(bitPattern: bitPattern) else { return nil }
        self.pointer = pointer
    }

    /// The address of the queue.
    var bitPattern: UInt { UInt(bitPattern: pointer) }
}

extension QueueHandle {
    /// The bytes from one slot to the next. Constant.
    @inlinable var stride: Int { pointer.pointee.stride }
}

// The consumer only.
extension QueueHandle {
    /// The position of the next slot that ``front()`` returns.
    @inlinable var position: UInt64 { millrace_queue_position(pointer) }

    /// The position of the oldest slot, also while a window is open.
    var oldestPosition: UInt64 { millrace_queue_oldest_position(pointer) }

    /// How many positions the consumer has finished with: popped, also in a window, or taken out of use by a trim. Not
    /// while a window is open.
    @inlinable var passed: UInt64 { millrace_queue_passed(pointer) }

    /// The same while a window is open, too.
    @inlinable var finished: UInt64 { millrace_queue_finished(pointer) }

    /// The number of slots popped since `passed` was read. No trim may run in between.
    @inlinable func popped(since passed: UInt64) -> UInt64 { self.passed &- passed }

    /// The next slot; nil if the producer has not published it yet.
    @inlinable @inline(__always)
    func front() -> UnsafeMutablePointer<UInt8>? { millrace_queue_front(pointer) }

    /// The same, with the flags of the slot.
    @inlinable @inline(__always)
    func front(_ flags: inout UInt64) -> UnsafeMutablePointer<UInt8>? { millrace_queue_front_flags(pointer, &flags) }

    /// Goes past the front, whose content has been moved out.
    @inlinable @inline(__always)
    func pop() { millrace_queue_pop(pointer) }

    /// Goes past the front, which has the flag ``Slot/handled``.
    @inlinable @inline(__always)
    func popHandled() { millrace_queue_pop_handled(pointer) }

    /// Begins the work of the consumer, which ends with `leave()`.
    func enter() { millrace_queue_consumer_enter(pointer) }
    func leave() { millrace_queue_consumer_leave(pointer) }

    /// Gives back the memory of segments that are no longer needed.
    func trim() { millrace_queue_trim(pointer) }
    var isBloated: Bool { millrace_queue_is_bloated(pointer) }

    /// Whether a slot is ready, also in the next segment.
    var hasReady: Bool { millrace_queue_has_ready(pointer) }

    /// Whether the front was claimed, but not yet published.
    var isStalled: Bool { millrace_queue_is_stalled(pointer) }

    /// Whether ``isStalled`` was true for this front. One load.
    var hasGap: Bool { millrace_queue_has_gap(pointer) }

    /// Whether a slot is ready, also behind such a front: see `millrace_window.h`.
    var hasReadyBehindGap: Bool { millrace_queue_has_ready_behind(pointer) }

    /// Has ``front()`` and ``pop()`` go through the published actions behind such a front, `most` at most, until
    /// ``closeWindow()``. Returns false if there are none.
    func openWindow(_ most: Int) -> Bool { millrace_queue_open_window(pointer, UInt64(most)) }
    func closeWindow() { millrace_queue_close_window(pointer) }

    /// Has the consumer wait for such a front after this number of actions behind it. Before other threads use the queue.
    func limitAhead(_ actions: Int) { millrace_queue_set_most_ahead(pointer, UInt64(actions)) }

    /// Whether the action at this position is handled, in its turn or in a window.
    func isHandled(_ position: UInt64) -> Bool { millrace_queue_is_handled(pointer, position) }

    /// Skips the front if it was claimed and will never be published. Returns whether it was skipped. Only after the last
    /// producer has gone.
    func dropUnpublished() -> Bool { millrace_queue_drop_unpublished(pointer) }

    /// Shows producers how far the consumer has come.
    @inlinable func report() { millrace_queue_report(pointer) }

    /// The same, ordered before the consumer's next look at who waits for room.
    func reportFully() { millrace_queue_report_fully(pointer) }

    /// Gives the baton back. Returns true if a slot is ready and the baton is free: then somebody has to take it again.
    func handOver(_ baton: Baton) -> Bool { millrace_queue_hand_over(pointer, baton.pointer) }
}

// Any thread.
extension QueueHandle {
    /// The positions that producers have claimed.
    @usableFromInline var claimed: UInt64 { millrace_queue_claimed(pointer) }
    /// The positions that the consumer has reported.
    @usableFromInline var consumed: UInt64 { millrace_queue_consumed(pointer) }
    /// The positions that the consumer took out of use, as reported.
    var skipped: UInt64 { millrace_queue_skipped(pointer) }
    /// Odd while the consumer takes positions out of use; counts how often it did.
    var cuts: UInt64 { millrace_queue_cuts(pointer) }
    var segments: UInt64 { millrace_queue_segments(pointer) }

    /// The actions put into the queue up to a moment of this call, and the claimed positions.
    ///
    /// - Parameter claims: Reads the claimed positions, and how many of them are messages.
    func accepted(_ claims: () -> (claimed: UInt64, messages: UInt64)) -> (count: UInt64, claimed: UInt64) {
        while true {
            let cuts = cuts
            let skipped = skipped
            let (claimed, messages) = claims()
            // The consumer takes positions out of use by claiming them first and counting them then. That takes less
            // than a microsecond, unless the consumer is stopped in between.
            if cuts & 1 == 0, self.cuts == cuts { return (claimed &- skipped &- messages, claimed) }
            sched_yield()
        }
    }

    /// The slots that wait.
    @usableFromInline var depth: UInt64 { millrace_queue_depth(pointer) }

    /// The same, but possibly old; inside a read section, or by the consumer.
    @inlinable var depthHint: UInt64 { millrace_queue_depth_hint(pointer) }
    @inlinable var claimedHint: UInt64 { millrace_queue_claimed_hint(pointer) }

    /// Wakes the consumer when it sleeps.
    var bell: Doorbell { Doorbell(pointer: millrace_queue_bell(pointer)) }

    @inlinable var isClosed: Bool { millrace_queue_mode_now(pointer) & UInt32(MILLRACE_MODE_CLOSED) != 0 }

    /// Whether producers stamp slots with the time.
    @inlinable var isStamping: Bool { millrace_queue_mode(pointer) & UInt32(MILLRACE_MODE_STAMPING) != 0 }

    /// Whether the action at this position, or with this number, is in the sample of a probe.
    @inlinable
    func measures(_ position: UInt64) -> Bool { millrace_mode_measures(millrace_queue_mode(pointer), position) }

    /// Rejects actions from outside from here on. A producer that saw the queue open may still publish.
    func close() { _ = millrace_queue_set_mode(pointer, UInt32(MILLRACE_MODE_CLOSED)) }

    /// Tells producers which slots to stamp with the time: one in 2 to the power of `rate`; nil: none.
    func setSampling(rate: UInt32?) {
        let all = UInt32(MILLRACE_MODE_STAMPING) | MILLRACE_MODE_RATE
        let bits = rate.map { UInt32(MILLRACE_MODE_STAMPING) | $0 << UInt32(MILLRACE_MODE_RATE_AT) } ?? 0
        _ = millrace_queue_clear_mode(pointer, all & ~bits)
        _ = millrace_queue_set_mode(pointer, bits)
    }
}
