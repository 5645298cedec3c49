// SPDX-License-Identifier: Apache-2.0

/// Watches the pipeline of a store: what it is told lets it measure each stage of each action.
///
/// ```swift
/// final class Slowest: PipelineProbe {
///     func actionEnded(_ action: ProbedAction) { … }
/// }
/// ```
///
/// Only what is needed has to be written; the rest does nothing.
///
/// **Threads and order.** Called on the pipeline's thread only. `batchBegan`, then for each action `kind`,
/// `actionBegan`, its stages, `actionEnded`. Stages of middlewares nest when a named middleware holds another. A
/// publication may come between two actions. Whatever a call takes is taken from the pipeline; it must not block.
///
/// **Cost.** A store without a probe runs another loop, which knows nothing of all this; with a sampling probe it runs
/// that loop for the actions which are not in the sample.
public protocol PipelineProbe: AnyObject, Sendable {
    /// It is told of one action in so many; up to the next power of two. Asked once, when a store takes the probe.
    ///
    /// Which ones is decided by their numbers, so that actions which alternate in any pattern all get their share.
    var samplingInterval: Int { get }
    /// Whether it is told at least of the beginning of actions that are not in the sample. Asked once.
    var wantsEveryAction: Bool { get }
    /// What kind of action this is, by numbers of the probe's own: they come back in ``ProbedAction/kind``.
    func kind<Action>(of action: UnsafePointer<Action>) -> Int
    /// A batch in which there is an action to tell of begins.
    func batchBegan(_ batch: ProbedBatch)
    /// An action begins.
    func actionBegan(_ action: ProbedAction)
    /// A stage of the action begins.
    func stageBegan(_ stage: PipelineStage)
    /// The stage ends.
    func stageEnded(_ stage: PipelineStage)
    /// A middleware without a name has handled the action; not told of an `IdentityMiddleware` before others.
    func unnamedHandled()
    /// The action is finished.
    func actionEnded(_ action: ProbedAction)
    /// An action that is not in the sample begins; nothing else is told of it. Only if every action is wanted.
    func actionPassed(_ action: ProbedAction)
}

extension PipelineProbe {
    /// All.
    @inlinable
    public var samplingInterval: Int { 1 }
    /// No.
    @inlinable
    public var wantsEveryAction: Bool { false }
    /// They are all of kind 0.
    @inlinable
    public func kind<Action>(of action: UnsafePointer<Action>) -> Int { 0 }
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
    public func unnamedHandled() {}
    /// Does nothing.
    @inlinable
    public func actionEnded(_ action: ProbedAction) {}
    /// Does nothing.
    @inlinable
    public func actionPassed(_ action: ProbedAction) {}
}
