// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A probe with a concrete type, so that the loop can be specialised. The type of the probe inside stays unknown.
@usableFromInline
final class ProbeBox: PipelineProbe {
    @usableFromInline let base: any PipelineProbe
    /// `base`, if it reads the times of all stages at once; otherwise a `NoReader`. Not an optional, which would be
    /// retained for each call.
    @usableFromInline let reader: any StageTimesReader
    /// The times that `reader` reads; nil for `NoReader`. Only the pipeline's thread uses them.
    @usableFromInline nonisolated(unsafe) let times: UnsafeMutablePointer<StageTimes>?
    /// Whether the probe measures only a sample of the actions.
    @usableFromInline let isSampling: Bool
    /// Whether the measuring loop handles every action, also those that are not in the sample.
    @usableFromInline let seesEveryAction: Bool
    /// Whether the probe is told when an action outside of the sample begins.
    @usableFromInline let wantsEveryAction: Bool
    /// Whether the probe is told when a batch begins.
    @usableFromInline let wantsBatches: Bool
    /// The rate of the sample: one action in 2 to the power of `rate`.
    let rate: UInt32
    /// Decides which actions are checked for copies of the state.
    @usableFromInline let copyCheck: CopyCheck
    /// The probe that middlewares get in an action that is checked for copies.
    @usableFromInline let copies: CopyReporter

    init(_ base: any PipelineProbe, oneIn interval: Int, copies cell: CopyReporterCell) {
        self.base = base
        reader = base as? any StageTimesReader ?? NoReader.shared
        times = reader.times
        wantsBatches = reader.wantsBatches
        copyCheck = base.copyCheck ?? CopyCheck(actionsUntilNext: 0)
        copies = CopyReporter(base, cell)
        let interval = min(max(interval, 1), 1 << 30)
        rate = UInt32(Int.bitWidth - (interval - 1).leadingZeroBitCount)
        isSampling = interval > 1
        wantsEveryAction = base.wantsEveryAction
        seesEveryAction = interval == 1 || wantsEveryAction
    }

    @inlinable func kind<Action>(of action: UnsafePointer<Action>) -> Int { base.kind(of: action) }
    @inlinable func batchBegan(_ batch: ProbedBatch) { base.batchBegan(batch) }

    @inlinable
    func actionBegan(_ action: MeasuredAction) {
        if let times {
            times.pointee.beginAction(action.ticks)
            if wantsEveryAction { reader.actionBegan(action) }
        } else {
            base.actionBegan(action.probed)
        }
    }

    @inlinable
    func actionPassed(_ action: MeasuredAction) {
        if times != nil { reader.actionBegan(action) } else { base.actionPassed(action.probed) }
    }

    @inlinable
    func actionEnded(_ action: MeasuredAction) {
        if times != nil { reader.actionEnded(action) } else { base.actionEnded(action.probed) }
    }

    @inlinable @inline(__always)
    func stageBegan(_ stage: PipelineStage) {
        if let times, times.pointee.beginNext(stage) { return }
        beganRarely(stage)
    }

    @inlinable @inline(__always)
    func stageEnded(_ stage: PipelineStage) {
        if let times, times.pointee.endPlain() { return }
        endedRarely(stage)
    }

    @inlinable @inline(__always)
    func unnamedHandled() {
        if let times { times.pointee.isFresh = false } else { tellUnnamed() }
    }

    // The rare cases, and other probes: out of line, so that the compiler inlines the middlewares into the loop.

    @inline(never) @usableFromInline
    func beganRarely(_ stage: PipelineStage) {
        if let times { times.pointee.begin(stage) } else { base.stageBegan(stage) }
    }

    @inline(never) @usableFromInline
    func endedRarely(_ stage: PipelineStage) {
        guard let times else { return base.stageEnded(stage) }
        times.pointee.endAny()
        if times.pointee.isCompleteBetween { reader.stagesEnded() }
    }

    @inline(never) @usableFromInline
    func tellUnnamed() { base.unnamedHandled() }
}

/// The reader of a box whose probe is told of each stage. It does nothing.
private final class NoReader: StageTimesReader {
    static let shared = NoReader()

    var times: UnsafeMutablePointer<StageTimes>? { nil }
    /// A `base` that reads no times is told of each batch.
    var wantsBatches: Bool { true }
    func actionBegan(_ action: MeasuredAction) {}
    func actionEnded(_ action: MeasuredAction) {}
    func stagesEnded() {}
}
