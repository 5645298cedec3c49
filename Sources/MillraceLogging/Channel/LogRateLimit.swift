// SPDX-License-Identifier: Apache-2.0

/// How many actions a second are logged at most, spread over the second: a token bucket.
///
/// ```swift
/// middleware.logger(rateLimit: LogRateLimit(perSecond: 100, burst: 10))
/// ```
///
/// Its tokens go to actions that the filter, the level and the sampling let through. One that then finds the ring full
/// has used up its token, and is counted as skipped.
public struct LogRateLimit: Hashable, Sendable {
    /// How many a second in the long run. 0 or less: none.
    public var perSecond: Int
    /// How many in one moment, after a rest. Less than 1 counts as 1.
    public var burst: Int

    /// A limit.
    /// - Parameters:
    ///   - perSecond: how many a second in the long run.
    ///   - burst: how many in one moment; default: those of a second.
    public init(perSecond: Int, burst: Int? = nil) {
        self.perSecond = perSecond
        self.burst = max(1, burst ?? perSecond)
    }
}
