// SPDX-License-Identifier: Apache-2.0

import MillraceInstrumentation

/// The figures of a stage in the report, in nanoseconds.
struct StageFigures: Equatable, Sendable {
    var name: String
    var count: UInt64
    var p50: UInt64
    var p90: UInt64
    var p99: UInt64
    var p999: UInt64
    var p9999: UInt64
    var max: UInt64

    init(_ name: String, _ latency: LatencyDistribution) {
        self.name = name
        let values = latency.values(atPercentiles: [50, 90, 99, 99.9, 99.99])
        count = latency.count
        (p50, p90, p99, p999, p9999) = (values[0], values[1], values[2], values[3], values[4])
        max = latency.maximum
    }

    /// Returns the stages of several stores. Stages with the same name are merged.
    static func merged(_ snapshots: [InstrumentationSnapshot]) -> [StageFigures] {
        var stages: [(name: String, latency: LatencyDistribution)] = []
        for stage in snapshots.flatMap(\.stages) where stage.latency.count > 0 {
            if let known = stages.firstIndex(where: { $0.name == stage.name }) {
                stages[known].latency.add(stage.latency)
            } else {
                stages.append((stage.name, stage.latency))
            }
        }
        return stages.map { StageFigures($0.name, $0.latency) }
    }
}

extension Report {
    /// The stages as text.
    var stageTable: String {
        guard !stages.isEmpty else { return "" }
        var table = TextTable("Time of an action (one in \(RunInstrumentation.interval) measured)", "lrrrrrr")
        table.add("", "p50", "p90", "p99", "p99.9", "p99.99", "max")
        for stage in stages {
            let figures = [stage.p50, stage.p90, stage.p99, stage.p999, stage.p9999, stage.max].map(Figures.time)
            table.add([stage.name] + figures)
        }
        return table.text
    }

    var stageArray: JSONValue {
        .array(
            stages.map { stage in
                .object([
                    ("name", .text(stage.name)), ("count", .number(stage.count)), ("p50", .number(stage.p50)),
                    ("p90", .number(stage.p90)), ("p99", .number(stage.p99)), ("p999", .number(stage.p999)),
                    ("p9999", .number(stage.p9999)), ("max", .number(stage.max)),
                ])
            }
        )
    }
}
