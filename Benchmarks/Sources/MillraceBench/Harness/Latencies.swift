// SPDX-License-Identifier: Apache-2.0

/// A summary of the latencies of single operations, in nanoseconds. It has no mean, because a mean describes neither
/// fast nor slow operations.
struct Latencies: Encodable {
    let p50: Double
    let p99: Double
    let p999: Double
    let max: Double
    /// The processor time of the whole process during the measurement, in percent of one processor.
    var cpu: Double?
    /// What stopped the threads of an open loop.
    var stalls: Stalls?

    /// Creates the summary of latencies; nil if there are none.
    init?(_ nanoseconds: [UInt64]) {
        let sorted = nanoseconds.sorted()
        guard let last = sorted.last else { return nil }
        func at(_ part: Double) -> Double { Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]) }
        p50 = at(0.5)
        p99 = at(0.99)
        p999 = at(0.999)
        max = Double(last)
    }

    /// Creates the median of several runs, figure by figure; nil if there are no runs.
    init?(mediansOf runs: [Latencies]) {
        guard
            let p50 = Sample(runs.map(\.p50)), let p99 = Sample(runs.map(\.p99)), let p999 = Sample(runs.map(\.p999)),
            let max = Sample(runs.map(\.max))
        else { return nil }
        (self.p50, self.p99, self.p999, self.max) = (p50.median, p99.median, p999.median, max.median)
        cpu = Sample(runs.compactMap(\.cpu))?.median
        stalls = Stalls(mediansOf: runs.compactMap(\.stalls))
    }
}
