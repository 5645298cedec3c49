// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension Clock where Duration == Swift.Duration {
    /// What sleeps until so much time from now, whenever it is called.
    func sleeping(for duration: Duration) -> @Sendable () async throws -> Void {
        let deadline = now.advanced(by: duration)
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
        let task = Task {
            // A clock that fails is a clock whose time is over.
            try? await sleep()
            if !Task.isCancelled { body() }
        }
        onCancel { task.cancel() }
        return task
    }
}
