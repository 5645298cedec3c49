// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport

/// Writes down the stages it is told of, in the same record as the middlewares.
final class ProbeSpy: PipelineProbe {
    let log: Recorder<String>

    init(log: Recorder<String>) {
        self.log = log
    }

    func stageBegan(_ stage: PipelineStage) { log.record("began \(name(stage))") }
    func stageEnded(_ stage: PipelineStage) { log.record("ended \(name(stage))") }

    private func name(_ stage: PipelineStage) -> String {
        if case .middleware(let name) = stage { name.description } else { "\(stage)" }
    }
}
