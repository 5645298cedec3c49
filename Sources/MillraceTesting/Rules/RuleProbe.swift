// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Counts how often each named middleware handled an action. Belongs to the holder of the world's token.
final class RuleProbe: PipelineProbe, @unchecked Sendable {
    // Unchecked because of that rule.
    private(set) var handled: [MiddlewareName: Int] = [:]

    func stageBegan(_ stage: PipelineStage) {
        if case .middleware(let name) = stage { handled[name, default: 0] += 1 }
    }
}
