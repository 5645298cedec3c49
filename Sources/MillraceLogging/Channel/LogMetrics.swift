// SPDX-License-Identifier: Apache-2.0

/// What became of the actions that passed the filters of loggers.
///
/// Each that had a level the printers want is counted once: as written, as skipped, sampled out or limited, or it still
/// waits.
public struct LogMetrics: Hashable, Sendable {
    /// Formatted, and given to the printers. Counts actions, not lines: there may be several of one.
    public var written: UInt64 = 0
    /// Not logged, as too many waited for being formatted; the log says so, too. Or, where a change of the state was to
    /// be told, as `afterReduce` never came: a middleware around the logger kept it back, say.
    public var skipped: UInt64 = 0
    /// Not logged, as the sampling chose others.
    public var sampledOut: UInt64 = 0
    /// Not logged, as the rate limit was reached.
    public var limited: UInt64 = 0
    /// Of those that are written or wait: logged without the change of the state, as ``LogMemoryLimit`` left it out; a
    /// line says so.
    public var changesLeftOut: UInt64 = 0

    /// All zero.
    public init() {}

    /// The sums.
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
