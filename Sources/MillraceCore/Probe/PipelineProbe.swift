// SPDX-License-Identifier: Apache-2.0

/// Observes the pipeline of a store, for example to measure each stage of each action.
///
/// ```swift
/// final class Slowest: PipelineProbe {
///     func actionEnded(_ action: ProbedAction) { … }
/// }
/// ```
///
/// Implement only the requirements that you need: all have defaults.
///
/// **Threads and order.** The functions are called only on the pipeline's thread. The order is `batchBegan`, then for
/// each action `kind`, `actionBegan`, the stages of the action, `actionEnded`. The stages of middlewares nest if a
/// named middleware holds another. A publication may come between two actions. The time of a call delays the pipeline;
/// a call must not block.
///
/// **Cost.** A store without a probe runs another loop, which has no probe calls. With a sampling probe, the store runs
/// that loop for the actions outside of the sample.
public protocol PipelineProbe: AnyObject, Sendable {
    /// The sampling interval: the probe receives one action of this number, rounded up to the next power of two. Read
    /// once, when the probe is set.
    ///
    /// The places of the actions in the queue decide which ones are in the sample (for internal actions their numbers).
    /// Actions that alternate in any pattern all get their share.
    var samplingInterval: Int { get }
    /// Whether the probe also receives the beginning of actions outside of the sample. Read once, when the probe is
    /// set.
    var wantsEveryAction: Bool { get }
    /// Returns the kind of an action, as a number that the probe chooses; it comes back in ``ProbedAction/kind``.
    func kind<Action>(of action: UnsafePointer<Action>) -> Int
    /// Called before the first action of a batch that the probe receives.
    func batchBegan(_ batch: ProbedBatch)
    /// Called when an action begins.
    func actionBegan(_ action: ProbedAction)
    /// Called when a stage of the action begins.
    func stageBegan(_ stage: PipelineStage)
    /// Called when the stage ends.
    func stageEnded(_ stage: PipelineStage)
    /// Called when a middleware without a name has handled the action; not called for an `IdentityMiddleware` before
    /// others.
    func unnamedHandled()
    /// Decides which actions are checked for copies of the state; nil: none. Read once, when the probe is set.
    ///
    /// A check costs some allocations for each middleware. In the other actions it costs a few instructions.
    var copyCheck: CopyCheck? { get }
    /// Called after `actionBegan` of an action that is checked. Here the probe sets ``CopyCheck/actionsUntilNext``
    /// again.
    func copyCheckBegan()
    /// Called in a checked action, when a getter that a named middleware got in `handle` or `afterReduce` is about to
    /// return a copy of the state, or when its ``StateReader`` is called. A getter that was kept in an earlier checked
    /// action is reported in this one.
    ///
    /// Not reported are copies that are made on other threads, in an IO that a journal holds until its action is
    /// durable, or by a `StateReader` that was made from a getter.
    ///
    /// - Parameters:
    ///   - middleware: The middleware. If it is inside another one with a name, a getter's copy is reported for both, a
    ///     reader's for the innermost.
    ///   - isReduced: False before the reducers, true in an IO and in `afterReduce`.
    func stateCopied(by middleware: MiddlewareName, isReduced: Bool)
    /// Called when the action is finished.
    func actionEnded(_ action: ProbedAction)
    /// Called when an action outside of the sample begins, and only if every action is wanted. Nothing else is reported
    /// of this action.
    func actionPassed(_ action: ProbedAction)
}

extension PipelineProbe {
    /// 1: all actions are in the sample.
    @inlinable
    public var samplingInterval: Int { 1 }
    /// False: actions outside of the sample are not reported.
    @inlinable
    public var wantsEveryAction: Bool { false }
    /// Returns 0: all actions are of the same kind.
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
    /// Nil: no action is checked for copies.
    @inlinable
    public var copyCheck: CopyCheck? { nil }
    /// Does nothing.
    @inlinable
    public func copyCheckBegan() {}
    /// Does nothing.
    @inlinable
    public func stateCopied(by middleware: MiddlewareName, isReduced: Bool) {}
    /// Does nothing.
    @inlinable
    public func actionEnded(_ action: ProbedAction) {}
    /// Does nothing.
    @inlinable
    public func actionPassed(_ action: ProbedAction) {}
}
