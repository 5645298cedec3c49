// SPDX-License-Identifier: Apache-2.0

/// What a ``PipelineProbe`` is told of an action. 88 bytes; the action itself is not in it.
public struct ProbedAction: Sendable, Hashable {
    /// The action's place in the store's order, from 1.
    public let number: UInt64
    /// Which actions brought it about.
    public let cause: ActionCause
    /// Who dispatched it.
    public let source: ActionSource
    /// How long it waited, in nanoseconds, from dispatch or the time it was intended for, at least 1; 0 when that is not
    /// known.
    public let nanosecondsQueued: UInt64
    /// When the pipeline took it up, in ticks of the store's clock.
    public let ticks: UInt64
    /// What the probe said of its kind.
    public let kind: Int

    /// An action.
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
