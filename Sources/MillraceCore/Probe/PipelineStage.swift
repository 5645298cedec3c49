// SPDX-License-Identifier: Apache-2.0

/// A part of an action's way through the pipeline that a ``PipelineProbe`` can measure.
public enum PipelineStage: Sendable, Hashable {
    /// `handle` of a middleware that was named.
    case middleware(name: MiddlewareName)
    /// The reducers.
    case reducers
    /// The work that the middlewares answered, and their `afterReduce`.
    case effects
    /// Publishing the state and telling the observers.
    case publication
}
