// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The clock of a ``SimulatedWorld``. It moves when the world moves it, never by itself.
public struct SimulatedClock: Clock, Sendable {
    /// A moment of the simulated time.
    public struct Instant: InstantProtocol {
        /// The time since the beginning of the world.
        public let offset: Duration

        /// Returns the moment that is a duration later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the time from this moment to another one.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Returns whether the left moment is earlier.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let scheduler: Scheduler

    init(_ scheduler: Scheduler) {
        self.scheduler = scheduler
    }

    /// The time of the world.
    public var now: Instant { Instant(offset: .nanoseconds(Int64(clamping: scheduler.now))) }

    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Suspends a task of the world until a moment of the simulated time. `tolerance` is ignored.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let scheduler = scheduler
        let timer = SleepTimer()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                scheduler.sleep(timer, until: deadline.offset.nanosecondsOfWorld, continuation)
            }
        } onCancel: {
            scheduler.cancel(timer)
        }
    }
}

extension Scheduler {
    /// The time of an action that is taken up now: the world begins with the year 1970.
    var actionTime: ActionTime { ActionTime(nanosecondsSince1970: Int64(clamping: now)) }
}

extension Duration {
    /// The nanoseconds since the beginning of a world: 0 for a negative duration, at most 292 years.
    var nanosecondsOfWorld: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        guard seconds < 9_000_000_000 else { return UInt64(Int64.max) }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
