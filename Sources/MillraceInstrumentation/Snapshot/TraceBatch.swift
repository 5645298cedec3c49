// SPDX-License-Identifier: Apache-2.0

public import MillraceRuntime

/// The trace events since the previous batch: the latest ones, at most as many as the instrumentation was told to keep.
///
/// Events of one thread are in the order in which they ended: a stage comes before its action.
public struct TraceBatch: Sendable {
    /// The events.
    public let events: [TraceEvent]
    /// The number of events since the previous batch that found no room. They are older than the events in this batch.
    public let missed: UInt64
    /// The names of the stages, by ``TraceEvent/stage``. Later batches only add to them.
    public let stages: [String]
    /// The names of the kinds, by ``TraceEvent/kind``. Later batches only add to them.
    public let kinds: [String]
    /// The names of the effects, by ``TraceEvent/stage``. Later batches only add to them.
    public let effects: [String]
    /// The same moment on both clocks, to convert ticks to times. It is the same in all batches.
    public let origin: (ticks: Ticks, nanosecondsSince1970: UInt64)

    /// Creates a batch.
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

    /// Returns when an event began, in nanoseconds from the origin; 0 if it began earlier.
    public func start(of event: TraceEvent) -> UInt64 {
        origin.ticks.nanoseconds(until: event.start)
    }

    /// Returns when an event ended, in nanoseconds from the origin; never earlier than its start.
    public func end(of event: TraceEvent) -> UInt64 {
        max(start(of: event), origin.ticks.nanoseconds(until: event.end))
    }
}
