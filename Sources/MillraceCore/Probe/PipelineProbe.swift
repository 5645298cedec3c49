// SPDX-License-Identifier: Apache-2.0

/// Watches the pipeline of a store: what it is told lets it measure each stage of each action.
///
/// ```swift
/// final class Slowest: PipelineProbe {
///     func actionEnded(_ action: ProbedAction) { … }
/// }
/// ```
///
/// **Threads and order.** Called on the pipeline's thread only. `batchBegan`, then for each action `actionBegan`, its
/// stages, `actionEnded`. Stages of middlewares nest when a named middleware holds another. Whatever a call takes is
/// taken from the pipeline; it must not block.
///
/// **Cost.** A store without a probe runs another loop, which knows nothing of all this.
public protocol PipelineProbe: AnyObject, Sendable {
    /// A batch begins.
    func batchBegan(_ batch: ProbedBatch)
    /// An action begins.
    func actionBegan(_ action: ProbedAction)
    /// A stage of the action begins.
    func stageBegan(_ stage: PipelineStage)
    /// The stage ends.
    func stageEnded(_ stage: PipelineStage)
    /// The action is finished.
    func actionEnded(_ action: ProbedAction)
}

extension PipelineProbe {
    /// Does nothing.
    @inlinable
    public func batchBegan(_ batch: ProbedBatch) {}
    /// Does nothing.
    @inlinable
    public func actionBegan(_ action: ProbedAction) {}
    /// Does nothing.
    @inlinable
    public func stageBegan(_ stage: PipelineStage) {}
    /// Does nothing.
    @inlinable
    public func stageEnded(_ stage: PipelineStage) {}
    /// Does nothing.
    @inlinable
    public func actionEnded(_ action: ProbedAction) {}
}
