// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceCore

/// Reads and writes the header of a slot, `millrace_slot`. The ready word belongs to the C core. ``SlotHeader`` says
/// what the other words hold.
@usableFromInline
enum Slot {
    @inlinable static var source: Int { 8 }
    @inlinable static var origin: Int { 12 }
    @inlinable static var link: Int { 16 }
    @inlinable static var extra: Int { 24 }

    /// Flags of the ready word.
    @inlinable static var message: UInt64 { 1 }
    @inlinable static var beyondCapacity: UInt64 { 2 }
    @inlinable static var measured: UInt64 { 4 }
    @inlinable static var handled: UInt64 { 8 }
    /// The flags of slots that hold a message, an action in the sample of a probe, or nothing any more.
    @inlinable static var special: UInt64 { message | measured | handled }

    /// Writes everything except the action. The producer only.
    @inlinable @inline(__always)
    static func write(_ slot: UnsafeMutableRawPointer, _ header: SlotHeader) {
        slot.storeBytes(of: header.source, toByteOffset: source, as: UInt64.self)
        slot.storeBytes(of: header.link, toByteOffset: link, as: UInt64.self)
        slot.storeBytes(of: header.extra, toByteOffset: extra, as: UInt64.self)
    }

    /// Adds the flag and the time of a slot that is in the sample; nothing for other slots. `intended` is 0 for now.
    @inlinable @inline(__always)
    static func measure(
        _ mode: UInt32,
        _ position: UInt64,
        intended: UInt64,
        _ flags: inout UInt64,
        _ header: inout SlotHeader
    ) {
        guard millrace_mode_measures(mode, position) else { return }
        flags |= measured
        // The header was made so that it leaves room for a time.
        header.extra |= intended == 0 ? millrace_clock_ticks() : intended
    }

    /// Writes a message slot, which holds only the message. The producer only.
    static func write(_ slot: UnsafeMutableRawPointer, message: PipelineMessage) {
        (slot + link).initializeMemory(as: PipelineMessage.self, to: message)
    }

    /// Moves the message out of the slot. The consumer only.
    static func takeMessage(_ slot: UnsafeMutableRawPointer) -> PipelineMessage {
        (slot + link).assumingMemoryBound(to: PipelineMessage.self).move()
    }

    @inlinable @inline(__always)
    static func link(_ slot: UnsafeRawPointer) -> UInt64 { slot.load(fromByteOffset: link, as: UInt64.self) }

    /// What caused the action.
    @inlinable
    static func cause(_ slot: UnsafeRawPointer) -> ActionCause {
        let link = link(slot)
        if link == SlotHeader.nothing { return .none }
        if link & SlotHeader.bits == SlotHeader.shortCause { return shortCause(slot, link).cause }
        return unpackedCause(slot)
    }

    @inlinable @inline(__always)
    static func shortCause(_ slot: UnsafeRawPointer, _ link: UInt64) -> ShortCause {
        ShortCause(parent: link >> 4, distance: slot.load(fromByteOffset: origin, as: UInt32.self))
    }

    @usableFromInline
    static func unpackedCause(_ slot: UnsafeRawPointer) -> ActionCause {
        let link = link(slot)
        let origin = slot.load(fromByteOffset: origin, as: UInt32.self)
        let extra = slot.load(fromByteOffset: extra, as: UInt64.self)
        switch link & SlotHeader.bits {
        case SlotHeader.longCause:
            return ActionCause(
                parent: link >> 4,
                root: extra,
                parentShard: UInt16(origin >> 16),
                rootShard: UInt16(truncatingIfNeeded: origin)
            )
        case SlotHeader.shortCause: return shortCause(slot, link).cause
        case SlotHeader.runAndCause: return ShortCause(parent: extra, distance: origin).cause
        case SlotHeader.extended: return withExtension(link) { $0.cause }
        default: return .none
        }
    }

    /// Where the action was dispatched. The address is valid until the slot is emptied.
    ///
    /// Without a call and a branch, so that the compiler finds the address only where the source is used.
    @inlinable @inline(__always)
    static func source(_ slot: UnsafeRawPointer) -> UnsafePointer<ActionSource> {
        let number = slot.load(fromByteOffset: source, as: UInt32.self)
        let inTable = UInt(bitPattern: millrace_source_at(number))
        let inExtension = UInt(link(slot) & ~SlotHeader.bits) &+ UInt(SlotExtension.sourceOffset)
        let address = number == SlotHeader.none ? inExtension : inTable
        return UnsafePointer(bitPattern: address).unsafelyUnwrapped
    }

    private static func withExtension<Result>(_ link: UInt64, _ body: (SlotExtension) -> Result) -> Result {
        Unmanaged<SlotExtension>.fromOpaque(SlotHeader.address(link))._withUnsafeGuaranteedRef(body)
    }

    /// The ticks at the dispatch of a measured action; 0: unknown.
    @inlinable
    static func time(_ slot: UnsafeRawPointer) -> UInt64 {
        let bits = link(slot) & SlotHeader.bits
        let isTime = bits != SlotHeader.longCause && bits != SlotHeader.runAndCause
        return isTime ? slot.load(fromByteOffset: extra, as: UInt64.self) : 0
    }

    @inlinable @inline(__always)
    static func flags(_ slot: UnsafePointer<UInt8>) -> UInt64 { millrace_slot_flags(slot) }

    @inlinable @inline(__always)
    static func isMessage(_ slot: UnsafePointer<UInt8>) -> Bool { millrace_slot_is_message(slot) }

    /// Writes the flags of a slot that is not in a queue of the C core.
    @inlinable
    static func writeFlags(_ slot: UnsafeMutableRawPointer, _ flags: UInt64) {
        slot.storeBytes(of: flags, as: UInt64.self)
    }

    /// Sets the flag ``measured`` of such a slot.
    @inlinable
    static func markMeasured(_ slot: UnsafeMutablePointer<UInt8>) {
        writeFlags(slot, flags(slot) | measured)
    }

    /// Whether the action is in the sample of a probe.
    @inlinable
    static func isMeasured(_ slot: UnsafeRawPointer) -> Bool {
        flags(slot.assumingMemoryBound(to: UInt8.self)) & measured != 0
    }

    /// Whether the action belongs to an effect run that was revoked.
    @inlinable @inline(__always)
    static func isRevoked(_ slot: UnsafeRawPointer) -> Bool {
        SlotHeader.holdsReference(link(slot)) && runIsRevoked(slot)
    }

    /// The run of an action that a producer has numbered; nil for other actions.
    @inlinable
    static func numberedRun(_ slot: UnsafeRawPointer) -> NumberedRun? {
        SlotHeader.holdsReference(link(slot)) ? findNumberedRun(slot) : nil
    }

    @usableFromInline
    static func findNumberedRun(_ slot: UnsafeRawPointer) -> NumberedRun? {
        let link = link(slot)
        let run: EffectRun? =
            link & SlotHeader.bits == SlotHeader.extended
            ? withExtension(link) { $0.run }
            : Unmanaged<EffectRun>.fromOpaque(SlotHeader.address(link)).takeUnretainedValue()
        // Not a cast, which takes longer: the class has no subclasses.
        guard let run, type(of: run) == NumberedRun.self else { return nil }
        return unsafeDowncast(run, to: NumberedRun.self)
    }

    @usableFromInline
    static func runIsRevoked(_ slot: UnsafeRawPointer) -> Bool {
        let link = link(slot)
        if link & SlotHeader.bits == SlotHeader.extended {
            return withExtension(link) { $0.run?.isRevoked ?? false }
        }
        return Unmanaged<EffectRun>.fromOpaque(SlotHeader.address(link))._withUnsafeGuaranteedRef { $0.isRevoked }
    }

    /// Releases the references that the header holds. In most cases there are none, which one load shows.
    @inlinable @inline(__always)
    static func empty(_ slot: UnsafeMutableRawPointer) {
        let link = link(slot)
        if SlotHeader.holdsReference(link) { SlotHeader.release(link) }
    }

    static func empty(_ slot: UnsafeMutableRawPointer, isMessage: Bool) {
        if isMessage {
            _ = takeMessage(slot)
        } else {
            empty(slot)
        }
    }
}

extension SlotHeader {
    /// The number of a source in the process's table, or ``none``.
    @inlinable @inline(__always)
    static func number(of source: ActionSource) -> UInt32 {
        guard source.text == nil else { return none }
        return millrace_source_number(UInt64(source.fileAddress), UInt64(source.functionAddress), source.packed)
    }
}
