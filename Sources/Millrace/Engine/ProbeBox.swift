// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A probe with a concrete type, so that the loop can be specialised. The type of the probe inside stays unknown.
@usableFromInline
final class ProbeBox: PipelineProbe {
    @usableFromInline let base: any PipelineProbe
    /// Whether the probe measures only a sample of the actions.
    @usableFromInline let isSampling: Bool
    /// Whether the measuring loop handles every action, also those that are not in the sample.
    @usableFromInline let seesEveryAction: Bool
    /// The rate of the sample: one action in 2 to the power of `rate`.
    let rate: UInt32
    /// Decides which actions are checked for copies of the state.
    @usableFromInline let copyCheck: CopyCheck
    /// The probe of the middlewares in such an action.
    @usableFromInline let copies: CopyReporter

    init(_ base: any PipelineProbe, oneIn interval: Int, copies cell: CopyReporterCell) {
        self.base = base
        copyCheck = base.copyCheck ?? CopyCheck(actionsUntilNext: 0)
        copies = CopyReporter(base, cell)
        let interval = min(max(interval, 1), 1 << 30)
        rate = UInt32(Int.bitWidth - (interval - 1).leadingZeroBitCount)
        isSampling = interval > 1
        seesEveryAction = interval == 1 || base.wantsEveryAction
    }

    @inlinable func kind<Action>(of action: UnsafePointer<Action>) -> Int { base.kind(of: action) }
    @inlinable func batchBegan(_ batch: ProbedBatch) { base.batchBegan(batch) }
    @inlinable func actionBegan(_ action: ProbedAction) { base.actionBegan(action) }
    @inlinable func stageBegan(_ stage: PipelineStage) { base.stageBegan(stage) }
    @inlinable func stageEnded(_ stage: PipelineStage) { base.stageEnded(stage) }
    @inlinable func actionEnded(_ action: ProbedAction) { base.actionEnded(action) }
    @inlinable func actionPassed(_ action: ProbedAction) { base.actionPassed(action) }
    @inlinable func unnamedHandled() { base.unnamedHandled() }
}

/// The probe for an action that is not in the sample. The compiler removes its calls.
@usableFromInline
final class NoProbe: PipelineProbe {
    @usableFromInline static let shared = NoProbe()
}
