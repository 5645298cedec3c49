// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The latency from dispatch to reduced, in an open loop. The producer keeps to its timetable even if the store is
/// late, and each latency counts from the time at which the action was due. So a stall shows in all actions that it
/// delayed.
struct LatencySection: Section {
    let id = "latency"
    let isShort: Bool

    func measure(_ pairing: Pairing) async throws -> [Table] {
        var tables: [Table] = []
        for rate in [1_000_000, 10_000] {
            let lanes = LatencyLanes(timetable: Timetable(rate: rate, count: isShort ? rate / 50 : rate / 2))
            for preference in LatencyPreference.allCases.reversed() {
                let isFast = rate == 1_000_000
                let targets =
                    isFast && preference == .lowLatency
                    ? [Target(figure: .p50, atMost: 2_000), Target(figure: .p999, atMost: 200_000)] : []
                tables.append(
                    try await pairing.latencyTable(
                        "Dispatch to reduced, open loop at \(rate) actions a second: .\(preference)",
                        subject: lanes.store(preference),
                        targets: targets,
                        rivals: [
                            LatencyOpponent(contender: lanes.mailbox),
                            LatencyOpponent(contender: lanes.futex),
                            LatencyOpponent(contender: lanes.spinning),
                        ]
                    )
                )
            }
        }
        tables.append(try await longRuns(pairing))
        return tables
    }

    /// Half a second has few stalls, and the longest one decides the percentile 99.9 of a run. Two seconds have four times
    /// as many. The default of a store must not be behind the mailbox.
    private func longRuns(_ pairing: Pairing) async throws -> Table {
        let rate = 1_000_000
        let lanes = LatencyLanes(timetable: Timetable(rate: rate, count: isShort ? rate / 50 : 2 * rate))
        return try await pairing.latencyTable(
            "Dispatch to reduced, open loop at \(rate) actions a second, runs of two seconds: .balanced",
            subject: lanes.store(.balanced),
            rivals: [
                LatencyOpponent(contender: lanes.mailbox, targets: [Target(figure: .ratioP999, atMost: 1)]),
                LatencyOpponent(contender: lanes.spinning),
                // For comparison: a store whose thread sleeps instead of spinning.
                LatencyOpponent(contender: lanes.store(.throughput)),
            ]
        )
    }
}
