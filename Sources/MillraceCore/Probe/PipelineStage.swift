// SPDX-License-Identifier: Apache-2.0

/// A stage of an action in the pipeline, which a ``PipelineProbe`` can measure.
public enum PipelineStage: Sendable, Hashable {
    /// `handle` of a named middleware.
    case middleware(name: MiddlewareName)
    /// The reducers.
    case reducers
    /// The `afterReduce` of the middlewares, and their IOs.
    case effects
    /// Publishing the state and calling the subscribers.
    case publication
    /// Waiting for the store's journal: an action or its effects must be durable first, or the journal takes no more.
    case journal
}
