// SPDX-License-Identifier: Apache-2.0

/// The data of an action that a ``PipelineProbe`` receives. 96 bytes; the action itself is not included.
public struct ProbedAction: Sendable, Hashable {
    /// The number of the action: 1 is the first that the store handled.
    public let number: UInt64
    /// The cause of the action.
    public let cause: ActionCause
    /// The place that dispatched the action.
    public let source: ActionSource
    /// The time that the action waited, in nanoseconds, since its dispatch or its intended time: in the shared queue,
    /// or in that of the urgent or internal actions. At least 1; 0 if the time is not known.
    public let nanosecondsQueued: UInt64
    /// The time at which the pipeline started the action, in ticks of the store's clock.
    public let ticks: UInt64
    /// The kind that the probe returned for the action.
    public let kind: Int

    /// Creates the data of an action.
    @inlinable
    public init(
        number: UInt64,
        cause: ActionCause,
        source: ActionSource,
        nanosecondsQueued: UInt64,
        ticks: UInt64 = 0,
        kind: Int = 0
    ) {
        self.number = number
        self.cause = cause
        self.source = source
        self.nanosecondsQueued = nanosecondsQueued
        self.ticks = ticks
        self.kind = kind
    }
}
