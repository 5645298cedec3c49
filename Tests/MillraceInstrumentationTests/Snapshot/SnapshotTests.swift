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

    @Test("printed, each is one line of readable figures")
    func descriptions() {
        var latency = LatencyDistribution(digits: .two)
        #expect("\(latency)" == "0 times")
        latency.record(1_500_000)
        #expect("\(latency)" == "1 time, p50 1.50 ms, p99 1.50 ms, max 1.50 ms")
        for _ in 0..<1199 { latency.record(100) }
        #expect(
            "\(StageSnapshot(name: "a\nb", role: .queue, latency: latency))"
                == "a\\u{a}b: 1,200 times, p50 100 ns, p99 100 ns, max 1.50 ms"
        )
        let effect = EffectSnapshot(name: "mail", started: 1300, completed: 1190, cancelled: 10, latency: latency)
        #expect(
            "\([effect])"
                == "[mail: 1,300 started, 10 cancelled; ended: 1,200 times, p50 100 ns, p99 100 ns, max 1.50 ms]"
        )
        let empty = LatencyDistribution(digits: .two)
        let kind = KindSnapshot(
            name: "open",
            count: 1200,
            wait: empty,
            work: latency,
            total: empty,
            nanosecondsByStage: []
        )
        #expect("\(kind)" == "open: in all 0 times; work 1,200 times, p50 100 ns, p99 100 ns, max 1.50 ms")
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
