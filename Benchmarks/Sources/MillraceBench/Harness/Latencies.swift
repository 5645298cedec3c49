// SPDX-License-Identifier: Apache-2.0

/// What is said of how long single operations took, in nanoseconds. No mean: it would say nothing of either end.
struct Latencies: Encodable {
    let p50: Double
    let p99: Double
    let p999: Double
    let max: Double
    /// Processor time of the whole process in percent of one processor, while it was measured.
    var cpu: Double?

    /// Nil when there are none.
    init?(_ nanoseconds: [UInt64]) {
        let sorted = nanoseconds.sorted()
        guard let last = sorted.last else { return nil }
        func at(_ part: Double) -> Double { Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]) }
        p50 = at(0.5)
        p99 = at(0.99)
        p999 = at(0.999)
        max = Double(last)
    }

    /// Figure by figure the median of several runs.
    init?(mediansOf runs: [Latencies]) {
        guard
            let p50 = Sample(runs.map(\.p50)), let p99 = Sample(runs.map(\.p99)), let p999 = Sample(runs.map(\.p999)),
            let max = Sample(runs.map(\.max))
        else { return nil }
        (self.p50, self.p99, self.p999, self.max) = (p50.median, p99.median, p999.median, max.median)
        cpu = Sample(runs.compactMap(\.cpu))?.median
    }
}
