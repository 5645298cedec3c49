// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A probe whose type is known where the loop is specialised; what it holds need not be.
@usableFromInline
final class ProbeBox: PipelineProbe {
    let base: any PipelineProbe

    init(_ base: any PipelineProbe) {
        self.base = base
    }

    @usableFromInline func batchBegan(_ batch: ProbedBatch) { base.batchBegan(batch) }
    @usableFromInline func actionBegan(_ action: ProbedAction) { base.actionBegan(action) }
    @usableFromInline func stageBegan(_ stage: PipelineStage) { base.stageBegan(stage) }
    @usableFromInline func stageEnded(_ stage: PipelineStage) { base.stageEnded(stage) }
    @usableFromInline func actionEnded(_ action: ProbedAction) { base.actionEnded(action) }
}
