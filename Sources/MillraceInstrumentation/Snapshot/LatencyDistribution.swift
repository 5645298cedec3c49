// SPDX-License-Identifier: Apache-2.0

@_exported public import Histogram

/// How long something took: an HDR histogram of nanoseconds, with what a histogram alone does not tell.
///
/// Values from 1 ns to 1 h are recorded; longer ones are counted as outliers and are in ``nanoseconds``, but not in
/// the histogram. A value, which shares nothing with the writer.
public struct LatencyDistribution: Sendable, CustomStringConvertible {
    /// The longest time that the histogram takes: an hour.
    @inlinable public static var longest: UInt64 { 3_600_000_000_000 }

    /// Nanoseconds, from dispatch or the intended time where the stage is the queue or the whole: what was late is in
    /// it, and must not be corrected again.
    public internal(set) var histogram: Histogram<UInt64>

    /// Times over an hour.
    public internal(set) var outliers: UInt64 = 0

    /// The exact sum of all times, outliers included.
    public internal(set) var nanoseconds: UInt64 = 0

    /// The outlier that was longest; 0 if there is none.
    public internal(set) var longestOutlier: UInt64 = 0

    /// An empty one with so many digits.
    public init(digits: SignificantDigits) {
        histogram = Histogram(highestTrackableValue: Self.longest, numberOfSignificantValueDigits: digits)
    }

    /// How many times were recorded, outliers included.
    public var count: UInt64 { histogram.totalCount + outliers }

    /// The longest time, outliers included; exact.
    public var maximum: UInt64 { max(histogram.maxRecorded, longestOutlier) }

    /// One line: how many, p50, p99 and the longest.
    public var description: String {
        guard count > 0 else { return "0 times" }
        let values = values(atPercentiles: [50, 99])
        return """
            \(Decimal.grouped(count)) \(count == 1 ? "time" : "times"), p50 \(Decimal.duration(values[0])), \
            p99 \(Decimal.duration(values[1])), max \(Decimal.duration(maximum))
            """
    }

    /// Adds those of another one with as many digits.
    public mutating func add(_ other: LatencyDistribution) {
        histogram.add(other.histogram)
        outliers += other.outliers
        nanoseconds &+= other.nanoseconds
        longestOutlier = max(longestOutlier, other.longestOutlier)
    }

    /// Adds one time.
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
