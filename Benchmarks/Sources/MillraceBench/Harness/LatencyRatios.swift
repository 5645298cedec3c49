// SPDX-License-Identifier: Apache-2.0

/// The percentiles of one contender divided by those of another, pair by pair. Below 1 the first contender is faster.
struct LatencyRatios: Encodable {
    let p50: Sample
    let p99: Sample
    let p999: Sample

    /// Creates the ratios of pairs of runs; nil if there are none.
    init?(_ pairs: [(first: Latencies, second: Latencies)]) {
        func ratio(_ figure: (Latencies) -> Double) -> Sample? {
            Sample(pairs.map { figure($0.first) / max(1, figure($0.second)) })
        }
        guard let p50 = ratio(\.p50), let p99 = ratio(\.p99), let p999 = ratio(\.p999) else { return nil }
        (self.p50, self.p99, self.p999) = (p50, p99, p999)
    }
}
