// SPDX-License-Identifier: Apache-2.0

import Histogram
import MillraceInstrumentation
import TestSupport
import Testing

@Suite("Percentiles")
struct PercentileTests {
    @Test("percentiles agree with the histogram's own where there is no outlier")
    func agree() {
        var random = SplitMix64(seed: 42)
        let percentiles = [0, 1, 25, 50, 90, 99, 99.9, 99.99, 99.9999, 100]
        for digits in [SignificantDigits.two, .three] {
            for size in [0, 1, 2, 3, 100, 5_000] {
                var latency = LatencyDistribution(digits: digits)
                for _ in 0..<size { latency.record(random.next() >> (23 + random.next() % 40)) }
                #expect(
                    latency.values(atPercentiles: percentiles)
                        == percentiles.map { latency.histogram.valueAtPercentile($0) },
                    "\(digits) digits, \(size) times"
                )
            }
        }
    }

    @Test("outliers are the upper end")
    func outliers() {
        let hour = LatencyDistribution.longest
        let latency = SampleSnapshots.latency([10, 20, hour + 1, hour + 9])
        #expect(latency.values(atPercentiles: [25, 50, 75, 100]) == [10, 20, hour + 9, hour + 9])
        #expect(SampleSnapshots.latency([hour * 2]).values(atPercentiles: [0, 50]) == [0, hour * 2])
    }

    @Test(".hgrm is byte for byte what HdrHistogram writes", arguments: PercentileReport.Unit.allCases)
    func format(unit: PercentileReport.Unit) {
        var random = SplitMix64(seed: 3)
        for digits in [SignificantDigits.two, .three] {
            for size in [0, 1, 2, 7, 1_000, 20_000] {
                var latency = LatencyDistribution(digits: digits)
                for _ in 0..<size { latency.record(random.next() >> (23 + random.next() % 40)) }
                var expected = ""
                latency.histogram.outputPercentileDistribution(
                    to: &expected,
                    outputValueUnitScalingRatio: Double(unit.rawValue)
                )
                #expect(PercentileReport(latency, unit: unit).description == expected)
            }
        }
    }

    @Test("sums beyond 64 bits do not trap")
    func hugeSums() {
        var latency = LatencyDistribution(digits: .three)
        // 2¹⁴ · 2⁵⁰ · 1 h: more than anything can measure.
        latency.record(LatencyDistribution.longest)
        for _ in 0..<40 { latency.add(latency) }
        let text = PercentileReport(latency).description
        #expect(text.contains("1.000000000000 1099511627776\n"))
        #expect(latency.values(atPercentiles: [99]) == [LatencyDistribution.longest])
        #expect(
            PrometheusReport(
                SampleSnapshots.snapshot(stages: [
                    StageSnapshot(name: "queue", role: .queue, latency: latency)
                ])
            ).description.contains("le=\"+Inf\"} 1099511627776\n")
        )
    }

    @Test("a file for each stage, kind and effect, also where names are equal or no names of files")
    func files() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/latencies"
        let paths = try PercentileReport.write(SampleSnapshots.hostile, toFolder: path)
        #expect(paths.count == SampleSnapshots.hostileNames.count * 2 * 5)
        #expect(Set(paths.map { $0.lowercased() }).count == paths.count)
        #expect(try folder.files("latencies").count == paths.count)
        #expect(paths.allSatisfy { !$0.dropFirst(path.count + 1).contains { "/ \"<".contains($0) } })
        #expect(try folder.read("latencies/stage-a_b.hgrm").contains("#[Outliers = 2, longer than an hour]"))
        #expect(try PercentileReport.write(SampleSnapshots.empty, toFolder: path).isEmpty, "the folder may exist")
    }
}
