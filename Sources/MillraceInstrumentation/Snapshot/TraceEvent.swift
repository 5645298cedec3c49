// SPDX-License-Identifier: Apache-2.0

public import MillraceRuntime

/// An event of a trace, with a beginning and an end: an action, a stage of an action, or an effect.
public struct TraceEvent: Sendable, Hashable {
    /// The type of an event.
    public enum What: UInt8, Sendable, Hashable {
        /// An action, from when the pipeline starts to handle it until it is finished.
        case action
        /// A stage of an action; or a publication between two actions, whose ``TraceEvent/number`` is 0.
        case stage
        /// An effect, from its start to its end. It belongs to no particular thread.
        case effect
    }

    /// The type of the event.
    public let what: What
    /// The index in ``TraceBatch/stages``; for an effect, in ``TraceBatch/effects``; for an action, 0.
    public let stage: UInt16
    /// The index in ``TraceBatch/kinds``. For an effect it is `UInt16.max`: the kind of the action that started it is
    /// not known.
    public let kind: UInt16
    /// The system's id of the thread.
    public let thread: Int32
    /// The time at which the event began.
    public let start: Ticks
    /// The time at which the event ended. Convert both ends from ticks, and not the duration: then an event that is
    /// nested in another one stays nested in any unit.
    public let end: Ticks
    /// The duration of the event, in nanoseconds.
    public var nanoseconds: UInt64 { start.nanoseconds(until: end) }
    /// The time that the action waited before, in nanoseconds; 0 for stages and effects.
    public let nanosecondsQueued: UInt64
    /// The number of the action; for an effect, of the action that started it, or 0 if it is not known.
    public let number: UInt64
    /// The number of the action whose middleware dispatched this one; 0 if it was dispatched from outside the store.
    public let parent: UInt64
    /// The number of the first action in the chain of causes; 0 if that is this action.
    public let root: UInt64

    /// Creates an event from its start and end.
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

    /// Creates an event from its start and duration. A duration of a year or more becomes the longest that ticks can
    /// express.
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
