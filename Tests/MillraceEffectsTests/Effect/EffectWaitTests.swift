// SPDX-License-Identifier: Apache-2.0

import MillraceEffects
import TestSupport
import Testing

/// Durations that no clock can add to its time, and those below zero.
@Suite("Effect: the longest and the shortest wait", .timeLimit(.minutes(5)))
struct EffectWaitTests {
    enum Kind: CaseIterable, Sendable { case delay, debounce, throttle, timeout, retry }

    /// A clock whose time is a number of 64 bits, since 1970: it stops the process where that overflows.
    struct NanosecondClock: Clock {
        struct Instant: InstantProtocol {
            let nanoseconds: Int64

            func advanced(by duration: Duration) -> Instant {
                let (seconds, attoseconds) = duration.components
                return Instant(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
            }

            func duration(to other: Instant) -> Duration { .nanoseconds(other.nanoseconds - nanoseconds) }

            static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
        }

        private let start = ContinuousClock.now
        var minimumResolution: Duration { .nanoseconds(1) }

        var now: Instant {
            Instant(nanoseconds: 1_800_000_000_000_000_000).advanced(by: start.duration(to: .now))
        }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            try await Task.sleep(for: now.duration(to: deadline))
        }
    }

    private struct Failure: Error {}

    private let attempts = Shared(0)
    private let output = Output<Int>()

    /// Waits so long; then it sends 1. `throttle` lets the first one begin at once. 0 comes soon, in any case.
    private func middleware(_ kind: Kind, _ duration: Duration, on clock: any Clock<Duration>) -> Rigged {
        .onAction(options: EffectOptions(clock: clock)) { [attempts] action, _, _ in
            if action == 0 { return Effect.just(0).delay(for: .milliseconds(1)) }
            switch kind {
            case .delay: return Effect.just(1).delay(for: duration)
            case .debounce: return Effect.just(1).debounce(for: duration, token: "t")
            case .throttle: return Effect.just(1).throttle(for: duration, token: "t")
            case .timeout: return Effect { _, _ in }.timeout(after: duration) { 1 }
            case .retry:
                let policy = RetryPolicy.exponential(retries: 1, initial: duration, maximum: duration, jitter: 1)
                return .task(retry: policy) { _ in
                    attempts.update { $0 += 1 }
                    if attempts.value == 1 { throw Failure() }
                    return 1
                } catchErrors: { _ in
                    nil
                }
            }
        }
    }

    typealias Rigged = EffectMiddleware<Int, Int, Int, Void>

    private static var clocks: [any Clock<Duration>] { [ContinuousClock(), SuspendingClock(), NanosecondClock()] }

    @Test(
        "what is to wait for longer than any clock can tell waits, and can be cancelled",
        arguments: Kind.allCases,
        0..<3
    )
    func longest(kind: Kind, clock: Int) async {
        for duration in [Duration.seconds(Int64.max), .seconds(Int64.max) * 18] {
            attempts.value = 0
            let middleware = middleware(kind, duration, on: Self.clocks[clock])
            let output = Output<Int>()
            middleware.run(1, output)
            if kind == .throttle { middleware.run(1, output) }
            if kind == .retry { #expect(await eventually { attempts.value == 1 }) }
            middleware.run(0, output)
            // The effect of 0 ends a little later than it sends.
            #expect(await eventually { output.actions.last == 0 && middleware.figures.running == 1 })
            // A retry may have any share of a hundred years to wait, drawn at random.
            #expect(output.actions == (kind == .throttle ? [1, 0] : [0]))
            #expect(middleware.figures.running == 1)
            middleware.cancelAll()
            #expect(middleware.figures.running == 0)
        }
    }

    @Test("a duration below zero is zero", arguments: Kind.allCases, 0..<3)
    func shortest(kind: Kind, clock: Int) async {
        for duration in [Duration.seconds(Int64.min), .seconds(Int64.min) * 18, .nanoseconds(-1), .zero] {
            attempts.value = 0
            let middleware = middleware(kind, duration, on: Self.clocks[clock])
            let output = Output<Int>()
            middleware.run(1, output)
            #expect(await eventually { output.actions == [1] && middleware.figures.running == 0 })
        }
    }

    @Test("a retry waits for a hundred years at most, whatever is asked for")
    func retries() {
        var generator = SplitMix64(seed: 1)
        let years = Duration.seconds(3_155_760_000)
        for duration in [Duration.seconds(Int64.max), .seconds(Int64.max) * 18] {
            let policy = RetryPolicy.exponential(retries: .max, initial: duration, maximum: duration, jitter: 0)
            // As exact as a Double.
            #expect(abs(policy.wait(beforeRetry: 1, using: &generator) / years - 1) < 1e-9)
            #expect(abs(policy.wait(beforeRetry: .max, using: &generator) / years - 1) < 1e-9)
        }
        let same = RetryPolicy.exponential(retries: .max, initial: .seconds(1), factor: 1, jitter: 0)
        // Found at once, though it is the last of very many.
        #expect(same.wait(beforeRetry: .max, using: &generator) == .seconds(1))
    }
}
