// SPDX-License-Identifier: Apache-2.0

public import MillraceRuntime

/// The trace events since the last batch was taken: the last ones, at most as many as the instrumentation was told to
/// keep.
///
/// Events of one thread come in the order in which they ended: a stage before its action.
public struct TraceBatch: Sendable {
    /// The events.
    public let events: [TraceEvent]
    /// How many events found no room since the last batch: earlier ones than those that are here.
    public let missed: UInt64
    /// The names of the stages, by ``TraceEvent/stage``. Later batches only add to them.
    public let stages: [String]
    /// The names of the kinds, by ``TraceEvent/kind``. Later batches only add to them.
    public let kinds: [String]
    /// The names of the effects, by ``TraceEvent/stage``. Later batches only add to them.
    public let effects: [String]
    /// A moment of both clocks, so that ticks become times: the same in all batches.
    public let origin: (ticks: Ticks, nanosecondsSince1970: UInt64)

    /// A batch.
    public init(
        events: [TraceEvent],
        missed: UInt64,
        stages: [String],
        kinds: [String],
        effects: [String],
        origin: (ticks: Ticks, nanosecondsSince1970: UInt64)
    ) {
        self.events = events
        self.missed = missed
        self.stages = stages
        self.kinds = kinds
        self.effects = effects
        self.origin = origin
    }

    /// When an event began, in nanoseconds from the origin; 0 if it was earlier.
    public func start(of event: TraceEvent) -> UInt64 {
        origin.ticks.nanoseconds(until: event.start)
    }

    /// When an event ended, in nanoseconds from the origin; at its start at the earliest.
    public func end(of event: TraceEvent) -> UInt64 {
        max(start(of: event), origin.ticks.nanoseconds(until: event.end))
    }
}
