// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension Duration {
    /// The longest wait: a hundred years. A later moment does not fit into the 64 bits of nanoseconds of many clocks,
    /// the system's included, which then stop the process.
    static var longestWait: Duration { .seconds(3_155_760_000) }

    /// The same as something that one can wait for: not below zero, and not above the longest wait.
    var asWait: Duration { Swift.min(Swift.max(.zero, self), .longestWait) }
}

extension Clock where Duration == Swift.Duration {
    /// What sleeps until so much time from now, whenever it is called.
    func sleeping(for duration: Duration) -> @Sendable () async throws -> Void {
        let deadline = now.advanced(by: duration.asWait)
        // Unchecked: it captures what is Sendable, and a type whose conformance might be isolated to an actor.
        let sleep = Unchecked<() async throws -> Void> { try await self.sleep(until: deadline, tolerance: nil) }
        return { try await sleep.value() }
    }
}

extension EffectSink {
    /// What sleeps until so much time from now, on this clock or that of the middleware.
    func sleeping(for duration: Duration, on clock: (any Clock<Duration>)?) -> @Sendable () async throws -> Void {
        (clock ?? self.clock).sleeping(for: duration)
    }

    /// Calls `body` after a sleep, on a thread of the concurrency pool, unless the effect or the task is cancelled
    /// first.
    @discardableResult
    func after(
        _ sleep: @escaping @Sendable () async throws -> Void,
        _ body: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        inTask {
            // A clock that fails is a clock whose time is over.
            try? await sleep()
            if !Task.isCancelled { body() }
        }
    }
}
