// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceCore

/// The C queue with actions in its slots. `millrace_queue.h` says which calls may run together.
///
/// A producer moves the action into the slot. Between claim and publication no other code runs.
@usableFromInline
struct ActionQueue<Action>: @unchecked Sendable {
    // Unchecked because it is a pointer to memory that is shared by design.
    @usableFromInline let raw: QueueHandle

    /// The result of a push.
    @usableFromInline enum PushResult {
        /// The action is in the queue, at this position.
        case accepted(UInt64)
        /// The pipeline dispatched the action itself; it is in the queue of internal actions.
        case acceptedInternally
        case closed
        case outOfMemory
    }

    @inlinable
    init(_ raw: QueueHandle) {
        self.raw = raw
    }

    /// Creates a queue. Nil when there is no memory, or when the action's alignment is over 4096 bytes.
    @inlinable
    init?() {
        var options = millrace_queue_options()
        options.action_size = MemoryLayout<Action>.size
        options.action_alignment = MemoryLayout<Action>.alignment
        var made: UnsafeMutablePointer<millrace_queue>?
        guard millrace_queue_create(options, &made) == MILLRACE_OK, let made else { return nil }
        raw = QueueHandle(made)
    }

    /// The offset of the action in a slot. The same rule as in `millrace_queue_create`, but a constant in specialised
    /// code.
    @inlinable
    static var payloadOffset: Int {
        let alignment = max(MemoryLayout<Action>.alignment, 8)
        return (MemoryLayout<millrace_slot>.size + alignment - 1) & ~(alignment - 1)
    }

    /// Pushes an action. Any thread. `admits` is called inside the read section, and only while the queue is closed.
    /// `flags` are those of the slot. `intended` is the time from which a probe is to measure; 0: now. `intake` is the
    /// queue that says whether the store is closed, and which slots are measured.
    @inlinable
    func push(
        _ action: consuming Action,
        source: ActionSource,
        cause: ActionCause,
        run: EffectRun?,
        flags: UInt64,
        intended: UInt64 = 0,
        intake: QueueHandle? = nil,
        admits: () -> Bool
    ) -> PushResult {
        millrace_read_begin()
        defer { millrace_read_end() }
        let mode = millrace_queue_mode((intake ?? raw).pointer)
        if mode & UInt32(MILLRACE_MODE_CLOSED) != 0, !admits() { return .closed }
        // Before the claim, as it may allocate.
        var header = SlotHeader(source, cause, run, isStamping: mode & UInt32(MILLRACE_MODE_STAMPING) != 0)
        var position: UInt64 = 0
        guard let slot = millrace_queue_claim_one(raw.pointer, &position) else {
            header.discard()
            return .outOfMemory
        }
        let bytes = UnsafeMutableRawPointer(slot)
        var flags = flags
        Slot.measure(mode, position, intended: intended, &flags, &header)
        Slot.write(bytes, header)
        (bytes + Self.payloadOffset).initializeMemory(as: Action.self, to: action)
        millrace_queue_publish(raw.pointer, slot, position, flags)
        return .accepted(position)
    }

    /// The most slots that one claim asks for. It keeps the read section and the claim short, so that neither
    /// reclamation nor the consumer waits for long.
    @inlinable static var longestRun: Int { 256 }

    /// The result of pushing a run of actions.
    @usableFromInline struct RunResult {
        @usableFromInline var count: Int
        /// The position of the last action, or the reason why no action was pushed.
        @usableFromInline var last: PushResult

        @inlinable
        init(_ count: Int, _ last: PushResult) {
            self.count = count
            self.last = last
        }
    }

    /// Pushes a run of actions, in order; may push fewer than all. Copies them from memory that no thread changes
    /// meanwhile. Any thread.
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
        let mode = millrace_queue_mode(raw.pointer)
        if mode & UInt32(MILLRACE_MODE_CLOSED) != 0, !admits() { return RunResult(0, .closed) }
        let header = SlotHeader(source, .none, nil, isStamping: mode & UInt32(MILLRACE_MODE_STAMPING) != 0)
        var claim = millrace_claim()
        guard millrace_queue_claim(raw.pointer, UInt64(end - first), &claim) == MILLRACE_OK, var slot = claim.slot
        else {
            header.discard()
            return RunResult(0, .outOfMemory)
        }
        let count = Int(claim.count)
        let stride = raw.pointer.pointee.stride
        for index in 0..<count {
            let bytes = UnsafeMutableRawPointer(slot)
            // Each slot gets a reference of its own: the consumer may already release that of the first slot.
            var own = header.copied()
            var ownFlags = flags
            Slot.measure(mode, claim.position + UInt64(index), intended: 0, &ownFlags, &own)
            Slot.write(bytes, own)
            (bytes + Self.payloadOffset).initializeMemory(as: Action.self, to: actions[first + index])
            if index + 1 < count {
                millrace_queue_publish_quietly(slot, claim.position + UInt64(index), ownFlags)
            } else {
                millrace_queue_publish(raw.pointer, slot, claim.position + UInt64(index), ownFlags)
            }
            slot += stride
        }
        header.discard()
        return RunResult(count, .accepted(claim.position + UInt64(count - 1)))
    }

    /// Pushes a message for the pipeline, at its place among the actions. Works also while the queue is closed. Any
    /// thread.
    func push(message: PipelineMessage) -> PushResult {
        millrace_read_begin()
        defer { millrace_read_end() }
        var position: UInt64 = 0
        guard let slot = millrace_queue_claim_one(raw.pointer, &position) else { return .outOfMemory }
        Slot.write(UnsafeMutableRawPointer(slot), message: message)
        millrace_queue_publish(raw.pointer, slot, position, Slot.message)
        return .accepted(position)
    }

    /// Empties and frees the queue. Called after the last producer and the last consumer have finished.
    func destroy() {
        let visitor = SlotVisitor { bytes, isMessage in
            Slot.empty(bytes, isMessage: isMessage)
            if !isMessage {
                (bytes + Self.payloadOffset).assumingMemoryBound(to: Action.self).deinitialize(count: 1)
            }
        }
        withExtendedLifetime(visitor) {
            millrace_queue_destroy(
                raw.pointer,
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
