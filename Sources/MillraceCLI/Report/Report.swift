// SPDX-License-Identifier: Apache-2.0

import Millrace

/// What both forms of the report are made of.
struct Report: Sendable {
    var state: LogState
    var metrics: StoreMetrics
    /// Events found in the input; those that were not thrown away are in `state`.
    var parsed: UInt64
    var setup: StoreSetup
    var seconds: Double
    /// How many entries a top list has.
    var top: Int
    /// What was read, for the head of the report.
    var title: String
    /// The names of the inputs, by their number.
    var inputs: [String]
    var isInterrupted: Bool
    /// The share of failures above which a minute is told of.
    var alertRate: AlertRate?
    /// Where the time of an action went; none if nothing was measured.
    var stages: [StageFigures] = []

    /// A count per second of the run.
    func rate(_ count: UInt64) -> Double {
        seconds > 0 ? Double(count) / seconds : 0
    }

    /// The statuses that occurred, in order.
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
