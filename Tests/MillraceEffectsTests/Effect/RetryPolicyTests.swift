// SPDX-License-Identifier: Apache-2.0

import MillraceEffects
import TestSupport
import Testing

@Suite("Effect: retries", .timeLimit(.minutes(5)))
struct RetryPolicyTests {
    struct Failure: Error, Equatable {
        var isFinal = false
    }

    let clock = ManualClock()
    let output = Output<String>()

    private func run(_ effect: Effect<Void, String>) -> EffectMiddleware<Int, String, Int, Void> {
        let middleware = EffectMiddleware<Int, String, Int, Void>.onAction(options: EffectOptions(clock: clock)) {
            _,
            _,
            _ in
            effect
        }
        middleware.run(0, output)
        return middleware
    }

    @Test("the waits grow by the factor, up to the longest; overflow and nonsense do no harm")
    func waits() {
        var random = SplitMix64(seed: 1)
        let policy = RetryPolicy.exponential(retries: 9, initial: .milliseconds(100), maximum: .seconds(1), jitter: 0)
        let waits = [1, 2, 3, 4, 5, 6, 1000].map { policy.wait(beforeRetry: $0, using: &random) }
        #expect(waits == [100, 200, 400, 800, 1000, 1000, 1000].map { .milliseconds($0) })
        func odd(_ factor: Double, _ initial: Duration = .seconds(1)) -> Duration {
            RetryPolicy.exponential(retries: 1, initial: initial, factor: factor, maximum: .seconds(10), jitter: 0)
                .wait(beforeRetry: 3, using: &random)
        }
        #expect(odd(.infinity) == .seconds(10))
        #expect(odd(.nan) == .seconds(10))
        #expect(odd(-1) == .zero)
        #expect(odd(0.5) == .milliseconds(250))
        #expect(odd(2, .seconds(-1)) == .zero)
        #expect(odd(2, .seconds(20)) == .seconds(10))
    }

    @Test("jitter takes a random part of the wait, never more")
    func jitter() {
        var random = SplitMix64(seed: 7)
        let policy = RetryPolicy.exponential(retries: 1, initial: .seconds(1), jitter: 0.25)
        let waits = (0..<1000).map { _ in policy.wait(beforeRetry: 1, using: &random) }
        #expect(waits.allSatisfy { $0 >= .milliseconds(750) && $0 <= .seconds(1) })
        #expect(Set(waits).count > 900)
        let all = RetryPolicy.exponential(retries: 1, initial: .seconds(1), jitter: 9)
        #expect((0..<1000).allSatisfy { _ in all.wait(beforeRetry: 1, using: &random) >= .zero })
    }

    @Test("a task is tried again after each wait, until it succeeds")
    func task() async {
        let attempts = Shared(0)
        let middleware = run(
            .task(retry: .exponential(retries: 3, initial: .seconds(1), jitter: 0)) { _ in
                try attempts.update { attempts in
                    attempts += 1
                    if attempts < 3 { throw Failure() }
                    return "attempt \(attempts)"
                }
            } catchErrors: {
                "\($0)"
            }
        )
        await clock.waitForSleepers(1)
        #expect(attempts.value == 1)
        clock.advance(by: .seconds(1))
        // The second wait is twice as long.
        #expect(await eventually { attempts.value >= 2 })
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(1))
        #expect(await eventually { middleware.runningEffects == 0 })
        #expect(output.actions == ["attempt 3"])
    }

    @Test("after the last retry, or an error that is not worth one, the error becomes an action")
    func exhausted() async {
        for isFinal in [true, false] {
            let attempts = Shared(0)
            let clock = ManualClock()
            let output = Output<String>()
            let middleware = EffectMiddleware<Int, String, Int, Void>.onAction(options: EffectOptions(clock: clock)) {
                _,
                _,
                _ in
                .task(
                    retry: .exponential(retries: 2, initial: .zero) { ($0 as? Failure)?.isFinal == false }
                ) { _ in
                    attempts.update { $0 += 1 }
                    throw Failure(isFinal: isFinal)
                } catchErrors: {
                    "\(($0 as? Failure)?.isFinal == true)"
                }
            }
            middleware.run(0, output)
            #expect(await eventually { middleware.runningEffects == 0 })
            #expect(attempts.value == (isFinal ? 1 : 3))
            #expect(output.actions == ["\(isFinal)"])
        }
    }

    @Test("cancelled while it waits it is not tried again, and its error is not heard")
    func cancelled() async {
        let attempts = Shared(0)
        let middleware = run(
            .task(token: "t", retry: .exponential(retries: 3)) { _ in
                attempts.update { $0 += 1 }
                throw Failure()
            } catchErrors: {
                "\($0)"
            }
        )
        await clock.waitForSleepers(1)
        middleware.cancel("t")
        await clock.waitForSleepers(0)
        clock.advance(by: .seconds(100))
        #expect(attempts.value == 1)
        #expect(output.actions.isEmpty)
        #expect(middleware.runningEffects == 0)
    }

    @Test("a stream is made anew; an element that came counts as a success")
    func stream() async {
        let made = Shared(0)
        let middleware = run(
            .stream(retry: .exponential(retries: 1, initial: .zero)) { _ in
                let number = made.update { made in
                    made += 1
                    return made
                }
                return AsyncThrowingStream<String, any Error> { continuation in
                    // The second and the third bring nothing: two errors in a row are one too many.
                    if number == 1 { continuation.yield("first") }
                    continuation.finish(throwing: Failure())
                }
            } catchErrors: { _ in
                "error"
            }
        )
        #expect(await eventually { middleware.runningEffects == 0 })
        #expect(made.value == 2)
        #expect(output.actions == ["first", "error"])
        let others = Shared(0)
        let endless = run(
            .stream(token: "endless", retry: .exponential(retries: 1, initial: .zero)) { _ in
                let number = others.update { others in
                    others += 1
                    return others
                }
                return AsyncThrowingStream<String, any Error> { continuation in
                    continuation.yield("\(number)")
                    if number < 10 { continuation.finish(throwing: Failure()) }
                }
            }
        )
        #expect(await eventually { output.actions.last == "10" })
        endless.cancelAll()
        #expect(others.value == 10)
    }
}
