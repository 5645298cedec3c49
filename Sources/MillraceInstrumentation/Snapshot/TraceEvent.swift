// SPDX-License-Identifier: Apache-2.0

public import MillraceRuntime

/// Something that took some time, for a trace: an action, a stage of one, or an effect.
public struct TraceEvent: Sendable, Hashable {
    /// What it is.
    public enum What: UInt8, Sendable, Hashable {
        /// An action, from where the pipeline took it up until it was finished.
        case action
        /// A stage of the action, or a publication between two actions, whose number is then 0.
        case stage
        /// An effect from its start to its end, on no thread in particular.
        case effect
    }

    /// What it is.
    public let what: What
    /// Index in ``TraceBatch/stages``, of an effect in ``TraceBatch/effects``; of an action 0.
    public let stage: UInt16
    /// Index in ``TraceBatch/kinds``; that of the action by which an effect was started is not known, then
    /// `UInt16.max`.
    public let kind: UInt16
    /// The system's number of the thread.
    public let thread: Int32
    /// When it began.
    public let start: Ticks
    /// When it ended. What lies within another event by the clock does so in any unit, if both ends are converted.
    public let end: Ticks
    /// How long it took, in nanoseconds.
    public var nanoseconds: UInt64 { start.nanoseconds(until: end) }
    /// How long the action had waited before, in nanoseconds; 0 of stages and effects.
    public let nanosecondsQueued: UInt64
    /// The number of the action; of an effect that of the action that started it, 0 if it is not known.
    public let number: UInt64
    /// The number of the action whose middleware dispatched this one; 0: it came from outside.
    public let parent: UInt64
    /// The number of the first cause; 0: this action itself.
    public let root: UInt64

    /// An event that ended at a time.
    @inlinable
    public init(
        what: What,
        stage: UInt16,
        kind: UInt16,
        thread: Int32,
        start: Ticks,
        end: Ticks,
        nanosecondsQueued: UInt64,
        number: UInt64,
        parent: UInt64,
        root: UInt64
    ) {
        self.what = what
        self.stage = stage
        self.kind = kind
        self.thread = thread
        self.start = start
        self.end = end
        self.nanosecondsQueued = nanosecondsQueued
        self.number = number
        self.parent = parent
        self.root = root
    }

    /// An event that took so long; a year and more is as long as ticks can tell.
    public init(
        what: What,
        stage: UInt16,
        kind: UInt16,
        thread: Int32,
        start: Ticks,
        nanoseconds: UInt64,
        nanosecondsQueued: UInt64,
        number: UInt64,
        parent: UInt64,
        root: UInt64
    ) {
        let ticks = Ticks.count(in: .nanoseconds(Int64(clamping: nanoseconds)))
        let (end, isTooLate) = start.rawValue.addingReportingOverflow(ticks)
        self.init(
            what: what,
            stage: stage,
            kind: kind,
            thread: thread,
            start: start,
            end: Ticks(rawValue: isTooLate ? .max : end),
            nanosecondsQueued: nanosecondsQueued,
            number: number,
            parent: parent,
            root: root
        )
    }
}
