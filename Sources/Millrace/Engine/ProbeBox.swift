// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A probe whose type is known where the loop is specialised; what it holds need not be.
@usableFromInline
final class ProbeBox: PipelineProbe {
    @usableFromInline let base: any PipelineProbe
    /// Whether it is told of a sample only.
    @usableFromInline let isSampling: Bool
    /// Whether the loop has to ask for each action whether it is measured.
    @usableFromInline let seesEveryAction: Bool
    /// The actions of the sample are one in 2 to the power of this.
    let rate: UInt32

    init(_ base: any PipelineProbe, oneIn interval: Int) {
        self.base = base
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

/// The probe of an action that is none of the sample: the compiler removes it.
@usableFromInline
final class NoProbe: PipelineProbe {
    @usableFromInline static let shared = NoProbe()
}
