// SPDX-License-Identifier: Apache-2.0

/// One side of a comparison of latencies.
@MainActor
struct LatencyContender {
    let name: String
    /// Measures once.
    let run: () async throws -> Latencies
}

/// A rival, with the targets of the subject's ratios to it.
@MainActor
struct LatencyOpponent {
    let contender: LatencyContender
    var targets: [Target] = []
}

extension Pairing {
    /// The number of pairs of a comparison of latencies.
    private var latencyPairs: Int { min(pairs, 9) }

    /// Measures `subject` next to each rival, in turn, and next to itself. The last two rows are the subject against
    /// itself, once divided by its partner and once the other way: so much of a ratio is chance.
    func latencyTable(
        _ title: String,
        subject: LatencyContender,
        targets: [Target] = [],
        rivals: [LatencyOpponent]
    ) async throws -> Table {
        var ours: [Latencies] = []
        var rows: [Row] = []
        for rival in rivals {
            let pairs = try await latencyPairs(subject, rival.contender)
            ours += pairs.map(\.first)
            rows.append(
                Row(
                    rival.contender.name,
                    latencies: Latencies(mediansOf: pairs.map(\.second)),
                    latencyRatios: LatencyRatios(pairs),
                    targets: rival.targets
                )
            )
        }
        let same = try await latencyPairs(subject, subject)
        ours += same.flatMap { [$0.first, $0.second] }
        rows.append(Row("\(subject.name) / itself", latencyRatios: LatencyRatios(same)))
        rows.append(
            Row(
                "the same pairs, the other way",
                latencyRatios: LatencyRatios(same.map { (first: $0.second, second: $0.first) })
            )
        )
        let row = Row(subject.name, latencies: Latencies(mediansOf: ours), targets: targets)
        return Table(title: title, rows: [row] + rows)
    }

    private func latencyPairs(
        _ subject: LatencyContender,
        _ rival: LatencyContender
    ) async throws -> [(first: Latencies, second: Latencies)] {
        var pairs: [(first: Latencies, second: Latencies)] = []
        for pair in 1...latencyPairs {
            progress.show("\(subject.name) | \(rival.name)  \(pair)/\(latencyPairs)")
            if pair % 2 == 1 {
                let first = try await subject.run()
                pairs.append((first: first, second: try await rival.run()))
            } else {
                let second = try await rival.run()
                pairs.append((first: try await subject.run(), second: second))
            }
        }
        return pairs
    }
}
