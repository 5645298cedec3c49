// SPDX-License-Identifier: Apache-2.0

@_exported public import Histogram
import MillraceCore

/// A distribution of times: an HDR histogram of nanoseconds, and figures that the histogram itself does not have.
///
/// Times from 1 ns to 1 h are recorded. Longer times are counted as outliers: they are in ``nanoseconds``, but not in
/// the histogram. The distribution is a value, and shares nothing with the writer.
public struct LatencyDistribution: Sendable, CustomStringConvertible {
    /// The longest time that the histogram records: an hour, in nanoseconds.
    @inlinable public static var longest: UInt64 { 3_600_000_000_000 }

    /// The times, in nanoseconds. For the stages `queue` and `total` they start at dispatch, or at the intended time.
    /// So they contain all delays, and must not be corrected again.
    public internal(set) var histogram: Histogram<UInt64>

    /// The number of times over an hour.
    public internal(set) var outliers: UInt64 = 0

    /// The exact sum of all times in nanoseconds, outliers included.
    public internal(set) var nanoseconds: UInt64 = 0

    /// The longest outlier, in nanoseconds; 0 if there is none.
    public internal(set) var longestOutlier: UInt64 = 0

    /// Creates an empty distribution with a number of significant digits.
    public init(digits: SignificantDigits) {
        histogram = Histogram(highestTrackableValue: Self.longest, numberOfSignificantValueDigits: digits)
    }

    /// The number of times that were recorded, outliers included.
    public var count: UInt64 { histogram.totalCount + outliers }

    /// The exact longest time in nanoseconds, outliers included.
    public var maximum: UInt64 { max(histogram.maxRecorded, longestOutlier) }

    /// One line: count, p50, p99 and maximum.
    public var description: String {
        guard count > 0 else { return "0 times" }
        let values = values(atPercentiles: [50, 99])
        return """
            \(Decimal.grouped(count)) \(count == 1 ? "time" : "times"), p50 \(Decimal.duration(values[0])), \
            p99 \(Decimal.duration(values[1])), max \(Decimal.duration(maximum))
            """
    }

    /// Adds the times of another distribution with the same number of digits.
    public mutating func add(_ other: LatencyDistribution) {
        histogram.add(other.histogram)
        outliers += other.outliers
        nanoseconds &+= other.nanoseconds
        longestOutlier = max(longestOutlier, other.longestOutlier)
    }

    /// Adds one time, in nanoseconds.
    @inline(__always)
    public mutating func record(_ value: UInt64) {
        nanoseconds &+= value
        if value <= Self.longest {
            histogram.record(value)
        } else {
            outliers += 1
            longestOutlier = max(longestOutlier, value)
        }
    }
}
