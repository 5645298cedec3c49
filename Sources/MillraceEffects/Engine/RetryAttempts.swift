// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Counts the attempts of one effect, and waits between them.
struct RetryAttempts {
    private let policy: RetryPolicy
    private var failures = 0

    init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    mutating func succeeded() {
        failures = 0
    }

    /// Waits for the next attempt. Returns false if there is to be none.
    mutating func waits<Element>(after error: any Error, _ sink: EffectSink<Element>) async -> Bool {
        failures += 1
        guard failures <= policy.retries, !sink.isCancelled, policy.isWorthwhile(error) else { return false }
        var generator = WorldGenerator(sink.effectTask.origin.scope.world)
        let wait = policy.wait(beforeRetry: failures, using: &generator)
        // The sleep throws when the task is cancelled, which happens with the effect.
        guard (try? await sink.sleeping(for: wait, on: nil)()) != nil else { return false }
        return !sink.isCancelled
    }
}
