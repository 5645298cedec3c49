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
        case accepted
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

    /// Any thread. `admits` is asked, inside the read section, only while the queue is closed.
    @inlinable
    func push(
        _ action: consuming Action,
        source: consuming ActionSource,
        cause: ActionCause,
        run: consuming EffectRun?,
        admits: () -> Bool
    ) -> PushResult {
        millrace_read_begin()
        defer { millrace_read_end() }
        let mode = millrace_queue_mode(raw)
        if mode & UInt32(MILLRACE_MODE_CLOSED) != 0, !admits() { return .closed }
        var claim = millrace_claim()
        guard millrace_queue_claim(raw, 1, &claim) == MILLRACE_OK, let slot = claim.slot else { return .outOfMemory }
        let bytes = UnsafeMutableRawPointer(slot)
        Slot.write(bytes, source: source, cause: cause, run: run, stamped: mode & UInt32(MILLRACE_MODE_STAMPING) != 0)
        (bytes + Self.payloadOffset).initializeMemory(as: Action.self, to: action)
        millrace_queue_publish(raw, slot, claim.position, 0)
        return .accepted
    }

    /// Any thread: copies a run of actions, in order, from memory that nobody changes meanwhile. Returns how many
    /// went in.
    @inlinable
    func push(contentsOf actions: UnsafeBufferPointer<Action>, source: ActionSource, admits: () -> Bool) -> Int {
        var done = 0
        while done < actions.count {
            // A short section and a short claim each time: reclamation and the consumer wait for neither.
            let pushed = pushRun(actions, from: done, upTo: min(actions.count, done + 256), source, admits)
            guard pushed > 0 else { break }
            done += pushed
        }
        return done
    }

    @inlinable
    func pushRun(
        _ actions: UnsafeBufferPointer<Action>,
        from first: Int,
        upTo end: Int,
        _ source: ActionSource,
        _ admits: () -> Bool
    ) -> Int {
        millrace_read_begin()
        defer { millrace_read_end() }
        let mode = millrace_queue_mode(raw)
        if mode & UInt32(MILLRACE_MODE_CLOSED) != 0, !admits() { return 0 }
        let stamped = mode & UInt32(MILLRACE_MODE_STAMPING) != 0
        var claim = millrace_claim()
        guard millrace_queue_claim(raw, UInt64(end - first), &claim) == MILLRACE_OK, var slot = claim.slot else {
            return 0
        }
        let count = Int(claim.count)
        let stride = raw.pointee.stride
        for index in 0..<count {
            let bytes = UnsafeMutableRawPointer(slot)
            Slot.write(bytes, source: source, cause: .none, run: nil, stamped: stamped)
            (bytes + Self.payloadOffset).initializeMemory(as: Action.self, to: actions[first + index])
            if index + 1 < count {
                millrace_queue_publish_quietly(slot, claim.position + UInt64(index), 0)
            } else {
                millrace_queue_publish(raw, slot, claim.position + UInt64(index), 0)
            }
            slot += stride
        }
        return count
    }

    /// Any thread: puts a message for the pipeline into the order of actions.
    func push(control message: ControlMessage, admits: () -> Bool) -> PushResult {
        millrace_read_begin()
        defer { millrace_read_end() }
        if millrace_queue_mode(raw) & UInt32(MILLRACE_MODE_CLOSED) != 0, !admits() { return .closed }
        var claim = millrace_claim()
        guard millrace_queue_claim(raw, 1, &claim) == MILLRACE_OK, let slot = claim.slot else { return .outOfMemory }
        Slot.write(UnsafeMutableRawPointer(slot), control: message)
        millrace_queue_publish(raw, slot, claim.position, UInt64(MILLRACE_SLOT_CONTROL))
        return .accepted
    }

    /// When the last producer and consumer have gone: empties and frees everything.
    func destroy() {
        let visitor = SlotVisitor { bytes, isControl in
            Slot.empty(bytes, isControl: isControl)
            if !isControl {
                (bytes + Self.payloadOffset).assumingMemoryBound(to: Action.self).deinitialize(count: 1)
            }
        }
        withExtendedLifetime(visitor) {
            millrace_queue_destroy(
                raw,
                { slot, context in
                    let bytes = UnsafeMutableRawPointer(slot)
                    let isControl = millrace_slot_is_control(slot)
                    Unmanaged<SlotVisitor>.fromOpaque(context!).takeUnretainedValue().visit(bytes, isControl)
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
