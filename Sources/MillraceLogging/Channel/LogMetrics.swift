// SPDX-License-Identifier: Apache-2.0

/// The counts of the actions that passed the filters of loggers.
///
/// Each action whose level a printer accepts is counted once: as written, skipped, sampled out or limited. Actions that
/// still wait are not counted.
public struct LogMetrics: Hashable, Sendable {
    /// Actions that were formatted and passed to the printers. An action may have several lines.
    public var written: UInt64 = 0
    /// Actions that were not logged because too many waited to be formatted. A line in the log reports their number.
    ///
    /// It also counts actions whose change of the state should be logged, but whose `afterReduce` was never called.
    /// This happens if a middleware around the logger does not forward the call.
    public var skipped: UInt64 = 0
    /// Actions that were not logged because the sampling did not choose them.
    public var sampledOut: UInt64 = 0
    /// Actions that were not logged because the rate limit was reached.
    public var limited: UInt64 = 0
    /// Written or waiting actions without their change of the state, because ``LogMemoryLimit`` left it out. A line
    /// says so.
    public var changesLeftOut: UInt64 = 0

    /// Creates metrics that are all zero.
    public init() {}

    /// Returns the sums.
    public static func + (lhs: LogMetrics, rhs: LogMetrics) -> LogMetrics {
        var sum = lhs
        sum.written += rhs.written
        sum.skipped += rhs.skipped
        sum.sampledOut += rhs.sampledOut
        sum.limited += rhs.limited
        sum.changesLeftOut += rhs.changesLeftOut
        return sum
    }
}
