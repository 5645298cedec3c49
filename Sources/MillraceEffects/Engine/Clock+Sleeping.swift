// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension Duration {
    /// The longest wait: a hundred years. Many clocks, the system's included, count nanoseconds in 64 bits. A later
    /// moment does not fit, and such a clock then stops the process.
    static var longestWait: Duration { .seconds(3_155_760_000) }

    /// This duration as a wait: not below zero, and not above the longest wait.
    var asWait: Duration { Swift.min(Swift.max(.zero, self), .longestWait) }
}

extension Clock where Duration == Swift.Duration {
    /// Returns a closure that sleeps until `duration` from now. The deadline is fixed here, not when the closure is
    /// called.
    func sleeping(for duration: Duration) -> @Sendable () async throws -> Void {
        let deadline = now.advanced(by: duration.asWait)
        // Unchecked: it captures Sendable values and a type. To the compiler its conformance might be isolated to an
        // actor.
        let sleep = Unchecked<() async throws -> Void> { try await self.sleep(until: deadline, tolerance: nil) }
        return { try await sleep.value() }
    }
}

extension EffectSink {
    /// Returns a closure that sleeps until `duration` from now, on the given clock or else on the middleware's.
    func sleeping(for duration: Duration, on clock: (any Clock<Duration>)?) -> @Sendable () async throws -> Void {
        (clock ?? self.clock).sleeping(for: duration)
    }

    /// Calls `body` after a sleep, on a thread of the concurrency pool, unless the effect or the task is cancelled
    /// before.
    @discardableResult
    func after(
        _ sleep: @escaping @Sendable () async throws -> Void,
        _ body: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        inTask {
            // If the clock throws, the wait counts as over.
            try? await sleep()
            if !Task.isCancelled { body() }
        }
    }
}
