// SPDX-License-Identifier: Apache-2.0

public import CMillrace

/// What the consumer does with which slot, so that another thread can name a handler that is stuck. `millrace_stage.h` has
/// the protocol.
@usableFromInline
struct Stage: @unchecked Sendable {
    // Unchecked because it is a pointer to memory that is shared by design.
    @usableFromInline let pointer: UnsafeMutablePointer<millrace_stage>

    @inlinable static var none: UInt { 0 }
    @inlinable static var handling: UInt { 1 }
    @inlinable static var reducing: UInt { 2 }
    @inlinable static var effects: UInt { 3 }
    @inlinable static var notifying: UInt { 4 }

    @inlinable
    init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: millrace_stage())
    }

    @inlinable
    func deallocate() { pointer.deallocate() }
}

// The consumer only.
extension Stage {
    /// Begins a stage of the action in `slot`.
    @inlinable @inline(__always)
    func enter(_ slot: UnsafeRawPointer, _ stage: UInt) { millrace_stage_enter(pointer, slot, stage) }

    /// Ends the action. Returns true if somebody asks for attention: then `attend()` before the slot is taken apart.
    @inlinable @inline(__always)
    func leave() -> Bool { millrace_stage_leave(pointer) }

    /// Waits until nobody inspects the slot. Returns true if the store was abandoned.
    @usableFromInline
    func attend() -> Bool { millrace_stage_attend(pointer) & MILLRACE_ATTENTION_ABANDON != 0 }

    /// Begins or ends a stage between two actions.
    @inlinable
    func between(_ stage: UInt) { millrace_stage_between(pointer, stage) }

    @inlinable
    func isIn(_ stage: UInt) -> Bool { millrace_stage_is(pointer, stage) }

    /// The slot of the current action; nil between two actions.
    @inlinable
    var slot: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(mutating: millrace_stage_slot(pointer)) }
}

// Any thread.
extension Stage {
    /// Has the consumer stop after the current action, for good.
    func abandon() { millrace_stage_ask(pointer, UInt32(MILLRACE_ATTENTION_ABANDON)) }

    @usableFromInline
    var isAbandoned: Bool { millrace_stage_attention(pointer) & MILLRACE_ATTENTION_ABANDON != 0 }

    /// A number that changes with the slot and the stage; 0 between two actions.
    var glance: UInt { UInt(millrace_stage_glance(pointer)) }

    /// Calls `body` with the slot and the stage of the current action; the slot stays whole meanwhile. It is nil when there
    /// is none, or when the kernel cannot tell. One thread at a time; `body` must be short, as the consumer may wait for it.
    func inspect<Result>(_ body: (_ slot: UnsafeMutableRawPointer?, _ stage: UInt) -> Result) -> Result {
        var stage: UInt = 0
        let slot = millrace_stage_inspect(pointer, &stage)
        defer { millrace_stage_release(pointer) }
        return body(UnsafeMutableRawPointer(mutating: slot), stage)
    }
}
