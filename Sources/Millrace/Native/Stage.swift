// SPDX-License-Identifier: Apache-2.0

public import CMillrace

/// What the consumer does with which slot, so that another thread can name a handler that is stuck. `millrace_stage.h`
/// has the protocol.
@usableFromInline
struct Stage: @unchecked Sendable {
    // Unchecked because it is a pointer to memory that is shared by design.
    @usableFromInline let pointer: UnsafeMutablePointer<millrace_stage>

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
    /// Begins an action with its first stage.
    @inlinable @inline(__always)
    func begin(_ slot: UnsafeRawPointer, _ number: UInt64, _ stage: UInt) {
        millrace_stage_begin(pointer, slot, number, stage)
    }

    /// Begins a further stage of the action in `slot`.
    @inlinable @inline(__always)
    func enter(_ slot: UnsafeRawPointer, _ stage: UInt) { millrace_stage_enter(pointer, slot, stage) }

    /// Ends the action. Returns true if somebody asks for attention: then `attend()` before the slot is taken apart.
    @inlinable @inline(__always)
    func leave() -> Bool { millrace_stage_leave(pointer) }

    /// Waits until nobody inspects the slot. Returns the bits that are set.
    @usableFromInline
    func attend() -> UInt32 { millrace_stage_attend(pointer) }

    /// Whether urgent actions may wait. Clears the mark: the caller then takes them all.
    @inlinable
    func takeUrgent() -> Bool { millrace_stage_take(pointer, UInt32(MILLRACE_ATTENTION_URGENT)) }

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

    /// Tells the consumer that an urgent action waits. After the action was published.
    @inlinable
    func askUrgent() { millrace_stage_ask(pointer, UInt32(MILLRACE_ATTENTION_URGENT)) }

    /// Whether urgent actions may wait. Sequentially consistent: after a consumer's last step before it sleeps or gives
    /// the baton back, this sees the mark, or the producer sees that step.
    @inlinable @inline(__always)
    var isUrgent: Bool { millrace_stage_attention(pointer) & MILLRACE_ATTENTION_URGENT != 0 }

    /// The number of the action that the pipeline began last; 0: none.
    @usableFromInline
    var number: UInt64 { millrace_stage_number(pointer) }

    /// The number of actions that the pipeline has certainly finished reducing.
    var numberBefore: UInt64 { number &- (number == 0 ? 0 : 1) }

    @inlinable
    var isAbandoned: Bool { millrace_stage_attention(pointer) & MILLRACE_ATTENTION_ABANDON != 0 }

    /// Whether a bit of the attention word is set.
    @inlinable @inline(__always)
    var isAsked: Bool { millrace_stage_attention(pointer) != 0 }

    /// A number that changes with the slot and the stage; 0 between two actions.
    var glance: UInt { UInt(millrace_stage_glance(pointer)) }

    /// Calls `body` with the slot and the stage of the current action; the slot stays whole meanwhile. It is nil when
    /// there is none, or when the kernel cannot tell. One thread at a time; `body` must be short, as the consumer may
    /// wait for it.
    func inspect<Result>(_ body: (_ slot: UnsafeMutableRawPointer?, _ stage: UInt) -> Result) -> Result {
        var stage: UInt = 0
        let slot = millrace_stage_inspect(pointer, &stage)
        defer { millrace_stage_release(pointer) }
        return body(UnsafeMutableRawPointer(mutating: slot), stage)
    }
}
