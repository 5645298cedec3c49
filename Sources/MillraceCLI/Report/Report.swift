// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The data of both forms of the report.
struct Report: Sendable {
    var state: LogState
    var metrics: StoreMetrics
    /// The events in the input. Those that were not dropped or rejected are in `state`.
    var parsed: UInt64
    var setup: StoreSetup
    var seconds: Double
    /// The number of entries in a top list.
    var top: Int
    /// The first line of the report, which names the input.
    var title: String
    /// The names of the inputs, by their number.
    var inputs: [String]
    var isInterrupted: Bool
    /// The layouts of the inputs, each once.
    var formats: [String] = []
    /// The share of failures above which a minute has an alert; nil without `--alert`.
    var alertRate: AlertRate?
    /// The time of an action in each stage; empty if nothing was measured.
    var stages: [StageFigures] = []

    /// Returns a count divided by the seconds of the run.
    func rate(_ count: UInt64) -> Double {
        seconds > 0 ? Double(count) / seconds : 0
    }

    /// The statuses that occurred, in ascending order.
    var statuses: [(status: Int, count: UInt64)] {
        state.statuses.enumerated().filter { $0.element > 0 }.map { ($0.offset, $0.element) }
    }

    /// The reasons that occurred, the most frequent first.
    var reasons: [(reason: MalformedReason, count: UInt64)] {
        MalformedReason.allCases.map { ($0, state.reasons[Int($0.rawValue)]) }
            .filter { $0.1 > 0 }
            .sorted { ($1.1, $0.0.rawValue) < ($0.1, $1.0.rawValue) }
    }
}
