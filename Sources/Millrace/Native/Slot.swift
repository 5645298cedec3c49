// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceCore

/// Reads and writes the header of a slot, `millrace_slot`. The ready word belongs to the C core.
@usableFromInline
enum Slot {
    @inlinable static var parent: Int { 8 }
    @inlinable static var root: Int { 16 }
    @inlinable static var source: Int { 24 }
    @inlinable static var run: Int { 56 }
    @inlinable static var time: Int { 64 }

    /// Flags of the ready word.
    @inlinable static var message: UInt64 { 1 }
    @inlinable static var beyondCapacity: UInt64 { 2 }
    @inlinable static var measured: UInt64 { 4 }

    /// Writes everything except the action. The producer only.
    @inlinable
    static func write(
        _ slot: UnsafeMutableRawPointer,
        source: consuming ActionSource,
        cause: ActionCause,
        run: consuming EffectRun?,
        time: UInt64
    ) {
        slot.storeBytes(of: cause.parent, toByteOffset: parent, as: UInt64.self)
        slot.storeBytes(of: cause.root, toByteOffset: root, as: UInt64.self)
        (slot + Self.source).initializeMemory(as: ActionSource.self, to: source)
        (slot + Self.run).initializeMemory(as: EffectRun?.self, to: run)
        slot.storeBytes(of: time, toByteOffset: Self.time, as: UInt64.self)
    }

    /// Returns the flag and the time of a slot that is in the sample; zeros for other slots. `intended` is 0 for now.
    @inlinable @inline(__always)
    static func measure(_ mode: UInt32, _ position: UInt64, intended: UInt64) -> (flag: UInt64, time: UInt64) {
        guard millrace_mode_measures(mode, position) else { return (0, 0) }
        return (measured, intended == 0 ? millrace_clock_ticks() : intended)
    }

    /// Writes a message slot, which holds only the message. The producer only.
    static func write(_ slot: UnsafeMutableRawPointer, message: PipelineMessage) {
        (slot + run).initializeMemory(as: PipelineMessage.self, to: message)
    }

    /// Moves the message out of the slot. The consumer only.
    static func takeMessage(_ slot: UnsafeMutableRawPointer) -> PipelineMessage {
        (slot + run).assumingMemoryBound(to: PipelineMessage.self).move()
    }

    @inlinable
    static func cause(_ slot: UnsafeMutableRawPointer) -> ActionCause {
        ActionCause(
            parent: slot.load(fromByteOffset: parent, as: UInt64.self),
            root: slot.load(fromByteOffset: root, as: UInt64.self)
        )
    }

    @inlinable
    static func source(_ slot: UnsafeMutableRawPointer) -> UnsafeMutablePointer<ActionSource> {
        (slot + source).assumingMemoryBound(to: ActionSource.self)
    }

    @inlinable
    static func run(_ slot: UnsafeMutableRawPointer) -> UnsafeMutablePointer<EffectRun?> {
        (slot + run).assumingMemoryBound(to: EffectRun?.self)
    }

    @inlinable
    static func time(_ slot: UnsafeMutableRawPointer) -> UInt64 {
        slot.load(fromByteOffset: time, as: UInt64.self)
    }

    @inlinable @inline(__always)
    static func flags(_ slot: UnsafeMutablePointer<UInt8>) -> UInt64 { millrace_slot_flags(slot) }

    @inlinable @inline(__always)
    static func isMessage(_ slot: UnsafeMutablePointer<UInt8>) -> Bool { millrace_slot_is_message(slot) }

    /// Whether the slot holds a message, or an action in the sample of a probe.
    @inlinable @inline(__always)
    static func isSpecial(_ slot: UnsafeMutablePointer<UInt8>) -> Bool { millrace_slot_is_special(slot) }

    /// The position of a published slot, counted from 0.
    @inlinable
    static func position(_ slot: UnsafeMutableRawPointer) -> UInt64 {
        millrace_slot_position(slot.assumingMemoryBound(to: UInt8.self))
    }

    /// Whether the action is in the sample of a probe.
    @inlinable
    static func isMeasured(_ slot: UnsafeMutableRawPointer) -> Bool {
        flags(slot.assumingMemoryBound(to: UInt8.self)) & measured != 0
    }

    /// Whether the action belongs to an effect run.
    @inlinable
    static func hasRun(_ slot: UnsafeMutableRawPointer) -> Bool {
        slot.load(fromByteOffset: run, as: UInt.self) != 0
    }

    /// Releases the references that the header holds. In most cases there are none, which two loads show.
    @inlinable
    static func empty(_ slot: UnsafeMutableRawPointer) {
        // The only reference of a source is its last word (a test of ActionSource checks that).
        let text = slot.load(fromByteOffset: source + 24, as: UInt.self)
        if text | slot.load(fromByteOffset: run, as: UInt.self) != 0 { release(slot) }
    }

    @usableFromInline
    static func release(_ slot: UnsafeMutableRawPointer) {
        source(slot).deinitialize(count: 1)
        run(slot).deinitialize(count: 1)
    }

    static func empty(_ slot: UnsafeMutableRawPointer, isMessage: Bool) {
        if isMessage {
            _ = takeMessage(slot)
        } else {
            empty(slot)
        }
    }
}
