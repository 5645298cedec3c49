// SPDX-License-Identifier: Apache-2.0

package import MillraceCore

/// An action that a probe is told of. Valid until the action has ended. It counts no references, and reads the cause
/// and the source only when it is asked for them.
@usableFromInline
package struct MeasuredAction {
    /// The number of the action: 1 is the first that the store handled.
    @usableFromInline package let number: UInt64
    /// The kind that the probe returned for the action.
    @usableFromInline package let kind: Int
    /// The time at which the pipeline started the action, in ticks.
    @usableFromInline package let ticks: UInt64
    @usableFromInline let slot: UnsafeMutableRawPointer

    @inlinable
    init(number: UInt64, kind: Int, ticks: UInt64, slot: UnsafeMutableRawPointer) {
        self.number = number
        self.kind = kind
        self.ticks = ticks
        self.slot = slot
    }

    /// The time of the dispatch, or the intended time, in ticks; 0 if it is not known, because the probe was not set
    /// yet.
    @inlinable package var dispatched: UInt64 { Slot.time(slot) }

    /// What caused the action.
    @inlinable package var cause: ActionCause { Slot.cause(slot) }

    /// The number of its source in the table of the process; nil if it is not there.
    @inlinable package var sourceNumber: UInt32? {
        let number = slot.load(fromByteOffset: Slot.source, as: UInt32.self)
        return number == SlotHeader.none ? nil : number
    }

    /// Where the action was dispatched.
    @inlinable package var source: UnsafePointer<Borrowed<ActionSource>> { Borrowed.at(Slot.source(slot)) }

    /// The same for a probe that is told of each stage.
    @usableFromInline var probed: ProbedAction {
        let time = dispatched
        return ProbedAction(
            number: number,
            cause: cause,
            source: source.pointee.value,
            // A time in the future counts as 1.
            nanosecondsQueued: time == 0 ? 0 : ticks > time ? max(1, TickClock.nanoseconds(ticks - time)) : 1,
            ticks: ticks,
            kind: kind
        )
    }
}
