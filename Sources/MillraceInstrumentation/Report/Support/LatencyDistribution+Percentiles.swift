// SPDX-License-Identifier: Apache-2.0

import Histogram
import MillraceCore

extension LatencyDistribution {
    /// Returns the times at some percentiles in nanoseconds, outliers included.
    ///
    /// ```swift
    /// let times = distribution.values(atPercentiles: [50, 99, 99.9])
    /// ```
    ///
    /// The values are those of the histogram, computed in one pass. A percentile among the outliers returns the longest
    /// outlier. If nothing was recorded, all values are 0.
    ///
    /// - Parameter percentiles: The percentiles, from 0 to 100, in ascending order.
    public func values(atPercentiles percentiles: [Double]) -> [UInt64] {
        var result: [UInt64] = []
        var buckets = RecordedBuckets(histogram)
        var (reached, value): (UInt64, UInt64) = (0, histogram.min)
        for percentile in percentiles {
            let rank = rank(of: percentile)
            while reached < rank, let bucket = buckets.next() {
                reached += bucket.count
                value = min(bucket.values.upperBound, histogram.maxRecorded)
            }
            result.append(rank > histogram.totalCount ? longestOutlier : value)
        }
        return result
    }

    /// Returns the number of recorded times up to a percentile.
    private func rank(of percentile: Double) -> UInt64 {
        guard percentile > 0, count > 0 else { return 0 }
        guard percentile < 100 else { return count }
        return min(count, max(1, UInt64((percentile.nextDown * Double(count) / 100).rounded(.up))))
    }

    /// The mean; 0 if nothing was recorded.
    var mean: UInt64 { count == 0 ? 0 : nanoseconds / count }
}

/// The figures of a distribution that all reports show, in nanoseconds.
struct LatencySummary {
    let count, p50, p90, p99, p999, p9999, max: UInt64

    init(_ latency: LatencyDistribution) {
        let values = latency.values(atPercentiles: [50, 90, 99, 99.9, 99.99])
        count = latency.count
        (p50, p90, p99, p999, p9999) = (values[0], values[1], values[2], values[3], values[4])
        max = latency.maximum
    }

    /// The figures as columns of a table.
    var texts: [String] {
        [Decimal.grouped(count)]
            + [p50, p90, p99, p999, p9999, max].map { count == 0 ? "–" : Decimal.duration($0) }
    }

    static let titles = ["count", "p50", "p90", "p99", "p99.9", "p99.99", "max"]

    /// The figures as members of a JSON object.
    var members: [(String, JSON)] {
        [
            ("count", .number(count)), ("p50", .number(p50)), ("p90", .number(p90)), ("p99", .number(p99)),
            ("p999", .number(p999)), ("p9999", .number(p9999)), ("max", .number(max)),
        ]
    }
}
