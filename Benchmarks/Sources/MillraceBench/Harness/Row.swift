// SPDX-License-Identifier: Apache-2.0

/// One line of a table: a contender and its figures.
struct Row: Encodable {
    let name: String
    /// The nanoseconds per operation.
    var time: Sample?
    /// The subject's time divided by this contender's time, pair by pair. Below 1 the subject is faster.
    var ratio: Sample?
    /// The allocations per operation.
    var mallocs: Double?
    /// The latencies of single operations, instead of `time`.
    var latencies: Latencies?
    /// The subject's latencies divided by this contender's.
    var latencyRatios: LatencyRatios?
    /// A figure that is neither a time nor a count of allocations.
    var amount: Double?
    /// The figures at several sizes, instead of `time`, `ratio` and `mallocs`.
    var points: [Point]?
    var targets: [Target] = []
    var note: String?

    /// Whether all targets are reached; nil if there are none.
    var passes: Bool? { targets.isEmpty ? nil : targets.allSatisfy(reaches) }

    /// Returns whether the row reaches a target. A missing figure reaches no target.
    func reaches(_ target: Target) -> Bool {
        guard let found = value(of: target.figure) else { return false }
        return found <= target.atMost
    }

    private func value(of figure: Target.Figure) -> Double? {
        switch figure {
        case .nanoseconds: time?.median
        case .ratio: ratio?.median
        case .mallocs: mallocs
        case .p50: latencies?.p50
        case .p999: latencies?.p999
        case .ratioP50: latencyRatios?.p50.median
        case .ratioP999: latencyRatios?.p999.median
        case .amount: amount
        }
    }

    private enum CodingKeys: String, CodingKey {
        case name, time, ratio, mallocs, latencies, latencyRatios, amount, points, targets, note, passes
    }

    init(
        _ name: String,
        time: Sample? = nil,
        ratio: Sample? = nil,
        mallocs: Double? = nil,
        latencies: Latencies? = nil,
        latencyRatios: LatencyRatios? = nil,
        amount: Double? = nil,
        targets: [Target] = [],
        note: String? = nil
    ) {
        self.name = name
        self.time = time
        self.ratio = ratio
        self.mallocs = mallocs
        self.latencies = latencies
        self.latencyRatios = latencyRatios
        self.amount = amount
        self.targets = targets
        self.note = note
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encodeIfPresent(time, forKey: .time)
        try values.encodeIfPresent(ratio, forKey: .ratio)
        try values.encodeIfPresent(mallocs, forKey: .mallocs)
        try values.encodeIfPresent(latencies, forKey: .latencies)
        try values.encodeIfPresent(latencyRatios, forKey: .latencyRatios)
        try values.encodeIfPresent(amount, forKey: .amount)
        try values.encodeIfPresent(points, forKey: .points)
        try values.encode(targets, forKey: .targets)
        try values.encodeIfPresent(note, forKey: .note)
        try values.encodeIfPresent(passes, forKey: .passes)
    }
}
