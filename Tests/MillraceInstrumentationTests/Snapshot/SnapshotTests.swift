// SPDX-License-Identifier: Apache-2.0

import Histogram
import MillraceInstrumentation
import Testing

@Suite("Snapshot values")
struct SnapshotTests {
    @Test("a time over an hour is an outlier: counted, summed, not recorded, and no trap")
    func outliers() {
        var latency = LatencyDistribution(digits: .three)
        let longest = LatencyDistribution.longest
        for value in [0, 1, 999, longest, longest + 1, UInt64.max / 4] {
            latency.record(value)
        }
        #expect(latency.histogram.totalCount == 4)
        #expect(latency.outliers == 2)
        #expect(latency.count == 6)
        #expect(latency.maximum == UInt64.max / 4)
        #expect(latency.nanoseconds == 1000 + 2 * LatencyDistribution.longest + 1 + UInt64.max / 4)
    }

    @Test("what two have recorded adds up")
    func adding() {
        var (first, second, all) = (
            LatencyDistribution(digits: .two), LatencyDistribution(digits: .two), LatencyDistribution(digits: .two)
        )
        for value in 0..<1000 as Range<UInt64> {
            value % 3 == 0 ? first.record(value * value) : second.record(value * value)
            all.record(value * value)
        }
        first.add(second)
        #expect(first.histogram == all.histogram)
        #expect(first.nanoseconds == all.nanoseconds)
    }

    @Test("rows are half octaves: each begins where the one before ends")
    func rows() {
        for row in 2..<LatencySeries.rows {
            let lowest = LatencySeries.lowest(ofRow: row)
            #expect(LatencySeries.row(of: lowest) == row)
            #expect(LatencySeries.row(of: lowest - 1) < row)
        }
        #expect(LatencySeries.row(of: 0) == 0)
        #expect(LatencySeries.row(of: 1) == 0)
        #expect(LatencySeries.row(of: .max) == LatencySeries.rows - 1)
        #expect(LatencySeries.lowest(ofRow: LatencySeries.rows - 1) > LatencyDistribution.longest)
    }
}
