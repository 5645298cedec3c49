// SPDX-License-Identifier: Apache-2.0

/// One line of a table: a contender, and what was found.
struct Row: Encodable {
    let name: String
    /// Nanoseconds an operation.
    var time: Sample?
    /// The subject's time divided by this one's, pair by pair: below 1 the subject is faster.
    var ratio: Sample?
    /// Allocations an operation.
    var mallocs: Double?
    /// Of single operations, in place of `time`.
    var latencies: Latencies?
    /// What is neither a time nor a count of allocations.
    var amount: Double?
    var targets: [Target] = []
    var note: String?

    /// Whether all targets are reached; nil when there is none.
    var passes: Bool? { targets.isEmpty ? nil : targets.allSatisfy(reaches) }

    /// A figure that is not there reaches nothing.
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
        case .amount: amount
        }
    }

    private enum CodingKeys: String, CodingKey {
        case name, time, ratio, mallocs, latencies, amount, targets, note, passes
    }

    init(
        _ name: String,
        time: Sample? = nil,
        ratio: Sample? = nil,
        mallocs: Double? = nil,
        latencies: Latencies? = nil,
        amount: Double? = nil,
        targets: [Target] = [],
        note: String? = nil
    ) {
        self.name = name
        self.time = time
        self.ratio = ratio
        self.mallocs = mallocs
        self.latencies = latencies
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
        try values.encodeIfPresent(amount, forKey: .amount)
        try values.encode(targets, forKey: .targets)
        try values.encodeIfPresent(note, forKey: .note)
        try values.encodeIfPresent(passes, forKey: .passes)
    }
}
