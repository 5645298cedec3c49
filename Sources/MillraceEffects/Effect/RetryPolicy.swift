// SPDX-License-Identifier: Apache-2.0

/// Whether and when an effect that failed is tried again. The waits between attempts grow. A part of each wait is
/// random, so that many clients that failed together do not retry together.
///
/// ```swift
/// .task(token: "load", retry: .exponential(retries: 5)) { context in
///     .loaded(try await context.dependencies.load())
/// } catchErrors: { error in
///     .failed("\(error)")     // of the last attempt
/// }
/// ```
///
/// The waits are `initial`, `initial * factor`, `initial * factor * factor` and so on, none above `maximum`; of each,
/// the part `jitter` is multiplied by a random number from 0 to 1.
public struct RetryPolicy: Sendable {
    /// The most retries; 0: never.
    public var retries: Int
    /// The wait before the first retry, without jitter.
    public var initial: Duration
    /// The factor by which each wait is longer than the one before.
    public var factor: Double
    /// The longest wait; a hundred years at most.
    public var maximum: Duration
    /// The random part of a wait: 0 is none, 1 is all of it.
    public var jitter: Double
    /// Whether an effect that failed with this error is tried again.
    public var isWorthwhile: @Sendable (any Error) -> Bool

    /// A policy without retries.
    public static var never: RetryPolicy { exponential(retries: 0) }

    /// Returns a policy with waits that grow by a factor.
    @preconcurrency
    public static func exponential(
        retries: Int,
        initial: Duration = .milliseconds(100),
        factor: Double = 2,
        maximum: Duration = .seconds(30),
        jitter: Double = 0.5,
        if isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) -> RetryPolicy {
        RetryPolicy(
            retries: retries,
            initial: initial,
            factor: factor,
            maximum: maximum,
            jitter: jitter,
            isWorthwhile: isWorthwhile
        )
    }

    /// Returns the wait before a retry.
    ///
    /// - Parameters:
    ///   - retry: The number of the retry, from 1.
    ///   - generator: The random numbers for ``jitter``.
    public func wait(beforeRetry retry: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let maximum = maximum.asWait
        var wait = min(initial.asWait, maximum)
        for _ in 1..<max(1, retry) {
            guard wait < maximum else { break }
            // At the maximum or above, the product is not needed, and `Duration` may be unable to represent it.
            let isLast = !(wait / maximum * factor < 1)
            let next = isLast ? maximum : max(.zero, wait * factor)
            // All later waits are equal, too.
            if next == wait { break }
            wait = next
        }
        let share = min(1, max(0, jitter))
        return wait * (1 - share * Double.random(in: 0...1, using: &generator))
    }
}
