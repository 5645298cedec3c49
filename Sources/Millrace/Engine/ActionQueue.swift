// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceCore

/// The C queue with actions in its slots. `millrace_queue.h` says which calls may run together.
///
/// A slot is filled by moving into it; between claim and publication no other code runs.
@usableFromInline
struct ActionQueue<Action>: @unchecked Sendable {
    // Unchecked because it is a pointer to memory that is shared by design.
    @usableFromInline let raw: UnsafeMutablePointer<millrace_queue>

    /// What became of a push.
    @usableFromInline enum PushResult {
        /// In the queue, at this position.
        case accepted(UInt64)
        case closed
        case outOfMemory
    }

    /// `nil` when there is no memory, or when the action's alignment is over 4096 bytes.
    @inlinable
    init?() {
        var options = millrace_queue_options()
        options.action_size = MemoryLayout<Action>.size
        options.action_alignment = MemoryLayout<Action>.alignment
        var made: UnsafeMutablePointer<millrace_queue>?
        guard millrace_queue_create(options, &made) == MILLRACE_OK, let made else { return nil }
        raw = made
    }

    /// Where the action is in a slot; the same rule as in `millrace_queue_create`, known when the code is specialised.
    @inlinable
    static var payloadOffset: Int {
        let alignment = max(MemoryLayout<Action>.alignment, 8)
        return (MemoryLayout<millrace_slot>.size + alignment - 1) & ~(alignment - 1)
    }

    /// Any thread. `admits` is asked, inside the read section, only while the queue is closed. `flags` are those of
    /// the slot; `intended` is the time from which a probe is to measure, 0 for now.
    @inlinable
    func push(
        _ action: consuming Action,
        source: consuming ActionSource,
        cause: ActionCause,
        run: consuming EffectRun?,
        flags: UInt64,
        intended: UInt64 = 0,
        admits: () -> Bool
    ) -> PushResult {
        millrace_read_begin()
        defer { millrace_read_end() }
        let mode = millrace_queue_mode(raw)
        if mode & UInt32(MILLRACE_MODE_CLOSED) != 0, !admits() { return .closed }
        var claim = millrace_claim()
        guard millrace_queue_claim(raw, 1, &claim) == MILLRACE_OK, let slot = claim.slot else { return .outOfMemory }
        let bytes = UnsafeMutableRawPointer(slot)
        let (flag, time) = Slot.measure(mode, claim.position, intended: intended)
        Slot.write(bytes, source: source, cause: cause, run: run, time: time)
        (bytes + Self.payloadOffset).initializeMemory(as: Action.self, to: action)
        millrace_queue_publish(raw, slot, claim.position, flags | flag)
        return .accepted(claim.position)
    }

    /// The most that one claim asks for: a short section and a short claim, so that neither reclamation nor the
    /// consumer waits for long.
    @inlinable static var longestRun: Int { 256 }

    /// What became of a run.
    @usableFromInline struct RunResult {
        @usableFromInline var count: Int
        /// Where the last one is, or why not one went in.
        @usableFromInline var last: PushResult

        @inlinable
        init(_ count: Int, _ last: PushResult) {
            self.count = count
            self.last = last
        }
    }

    /// Any thread: copies a run of actions, in order, from memory that nobody changes meanwhile; may take less than
    /// all.
    @inlinable
    func push(
        contentsOf actions: UnsafeBufferPointer<Action>,
        from first: Int,
        upTo end: Int,
        source: ActionSource,
        flags: UInt64,
        admits: () -> Bool
    ) -> RunResult {
        millrace_read_begin()
        defer { millrace_read_end() }
        let mode = millrace_queue_mode(raw)
        if mode & UInt32(MILLRACE_MODE_CLOSED) != 0, !admits() { return RunResult(0, .closed) }
        var claim = millrace_claim()
        guard millrace_queue_claim(raw, UInt64(end - first), &claim) == MILLRACE_OK, var slot = claim.slot else {
            return RunResult(0, .outOfMemory)
        }
        let count = Int(claim.count)
        let stride = raw.pointee.stride
        for index in 0..<count {
            let bytes = UnsafeMutableRawPointer(slot)
            let (flag, time) = Slot.measure(mode, claim.position + UInt64(index), intended: 0)
            Slot.write(bytes, source: source, cause: .none, run: nil, time: time)
            (bytes + Self.payloadOffset).initializeMemory(as: Action.self, to: actions[first + index])
            if index + 1 < count {
                millrace_queue_publish_quietly(slot, claim.position + UInt64(index), flags | flag)
            } else {
                millrace_queue_publish(raw, slot, claim.position + UInt64(index), flags | flag)
            }
            slot += stride
        }
        return RunResult(count, .accepted(claim.position + UInt64(count - 1)))
    }

    /// Any thread: puts a message for the pipeline into the order of actions, also while the queue is closed.
    func push(message: PipelineMessage) -> PushResult {
        millrace_read_begin()
        defer { millrace_read_end() }
        var claim = millrace_claim()
        guard millrace_queue_claim(raw, 1, &claim) == MILLRACE_OK, let slot = claim.slot else { return .outOfMemory }
        Slot.write(UnsafeMutableRawPointer(slot), message: message)
        millrace_queue_publish(raw, slot, claim.position, Slot.message)
        return .accepted(claim.position)
    }

    /// When the last producer and consumer have gone: empties and frees everything.
    func destroy() {
        let visitor = SlotVisitor { bytes, isMessage in
            Slot.empty(bytes, isMessage: isMessage)
            if !isMessage {
                (bytes + Self.payloadOffset).assumingMemoryBound(to: Action.self).deinitialize(count: 1)
            }
        }
        withExtendedLifetime(visitor) {
            millrace_queue_destroy(
                raw,
                { slot, context in
                    let bytes = UnsafeMutableRawPointer(slot)
                    let isMessage = millrace_slot_is_message(slot)
                    Unmanaged<SlotVisitor>.fromOpaque(context!).takeUnretainedValue().visit(bytes, isMessage)
                },
                Unmanaged.passUnretained(visitor).toOpaque()
            )
        }
    }
}

/// Carries a closure through C's `void *context`.
private final class SlotVisitor {
    let visit: (UnsafeMutableRawPointer, Bool) -> Void

    init(_ visit: @escaping (UnsafeMutableRawPointer, Bool) -> Void) {
        self.visit = visit
    }
}
