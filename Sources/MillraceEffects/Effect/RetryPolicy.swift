// SPDX-License-Identifier: Apache-2.0

/// Whether work that failed is done again, and after which wait: each is longer than the one before, and a part of it
/// is random, so that many who failed together do not come back together.
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
    /// How often it is tried again at most; 0: never.
    public var retries: Int
    /// The wait before the first retry, without jitter.
    public var initial: Duration
    /// By how much each wait is longer than the one before.
    public var factor: Double
    /// The longest wait; a hundred years at most.
    public var maximum: Duration
    /// Which part of a wait is random: 0 is none, 1 is all of it.
    public var jitter: Double
    /// Whether an error is worth another attempt.
    public var isWorthwhile: @Sendable (any Error) -> Bool

    /// No retries.
    public static var never: RetryPolicy { exponential(retries: 0) }

    /// Retries after waits that grow.
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

    /// The wait before a retry.
    ///
    /// - Parameter retry: Which one, from 1.
    public func wait(beforeRetry retry: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let maximum = maximum.asWait
        var wait = min(initial.asWait, maximum)
        for _ in 1..<max(1, retry) {
            guard wait < maximum else { break }
            // Above the longest it need not be exact, and could not be represented.
            let isLast = !(wait / maximum * factor < 1)
            let next = isLast ? maximum : max(.zero, wait * factor)
            // Then all later ones are the same, too.
            if next == wait { break }
            wait = next
        }
        let share = min(1, max(0, jitter))
        return wait * (1 - share * Double.random(in: 0...1, using: &generator))
    }
}
