// SPDX-License-Identifier: Apache-2.0

/// The most actions per second that are logged, spread over the second: a token bucket.
///
/// ```swift
/// middleware.logger(rateLimit: LogRateLimit(perSecond: 100, burst: 10))
/// ```
///
/// An action takes a token after the filter, the level and the sampling let it through. If the action then finds the
/// ring full, the token is used up, and the action is counted as skipped.
public struct LogRateLimit: Hashable, Sendable {
    /// The number of actions per second in the long run. 0 or less: none.
    public var perSecond: Int
    /// The number of actions at once, after a pause. Less than 1 counts as 1.
    public var burst: Int

    /// Creates a limit.
    /// - Parameters:
    ///   - perSecond: The number of actions per second in the long run.
    ///   - burst: The number of actions at once. Default: `perSecond`.
    public init(perSecond: Int, burst: Int? = nil) {
        self.perSecond = perSecond
        self.burst = max(1, burst ?? perSecond)
    }
}
