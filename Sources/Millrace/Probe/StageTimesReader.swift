// SPDX-License-Identifier: Apache-2.0

package import MillraceCore

/// A probe that is not told of each stage, but reads the ``StageTimes`` of all stages when an action ends. On the
/// pipeline's thread.
@usableFromInline
package protocol StageTimesReader: PipelineProbe {
    /// Where the pipeline writes the times. Valid as long as the probe. Nil only if there is no reader.
    var times: UnsafeMutablePointer<StageTimes>? { get }

    /// Whether `batchBegan` is called: with `.caller` each action may be a batch. Read once, when the probe is set.
    var wantsBatches: Bool { get }

    /// An action begins, also one outside of the sample. Called only if `wantsEveryAction`.
    func actionBegan(_ action: MeasuredAction)

    /// An action has ended; ``times`` has its stages.
    func actionEnded(_ action: MeasuredAction)

    /// Stages that belong to no action have ended.
    func stagesEnded()
}
