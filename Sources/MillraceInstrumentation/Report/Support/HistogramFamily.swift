// SPDX-License-Identifier: Apache-2.0

/// Distributions that are exported under one metric name, with different labels.
package struct HistogramFamily {
    package typealias Labels = [(name: String, value: String)]

    package let name: String
    let help: String
    /// The series. No two have the same labels.
    package let series: [(Labels, LatencyDistribution)]

    private init(_ name: String, _ help: String, _ series: [(Labels, LatencyDistribution)]) {
        self.name = name
        self.help = help
        self.series = Self.merged(series) { first, second in
            var sum = first
            sum.add(second)
            return sum
        }
    }

    /// Merges series with the same labels into one: metrics systems report duplicates as an error.
    package static func merged<Value>(
        _ series: [(Labels, Value)],
        _ combine: (Value, Value) -> Value
    ) -> [(Labels, Value)] {
        var result: [(Labels, Value)] = []
        var places: [[String]: Int] = [:]
        for (labels, value) in series {
            if let place = places[labels.map(\.value)] {
                result[place].1 = combine(result[place].1, value)
            } else {
                places[labels.map(\.value)] = result.count
                result.append((labels, value))
            }
        }
        return result
    }

    /// The families of a snapshot, for all exports to metrics systems.
    ///
    /// - Parameters:
    ///   - snapshot: What was measured.
    ///   - name: The value of the label `store`.
    package static func all(of snapshot: InstrumentationSnapshot, store name: String) -> [HistogramFamily] {
        let store = ("store", name)
        return [
            HistogramFamily(
                "millrace_stage_duration_seconds",
                "Time in a stage of the pipeline.",
                snapshot.stages.map { ([store, ("stage", $0.name), ("role", $0.role.rawValue)], $0.latency) }
            ),
            HistogramFamily(
                "millrace_kind_wait_seconds",
                "Time in the queue.",
                snapshot.kinds.map { ([store, ("kind", $0.name)], $0.wait) }
            ),
            HistogramFamily(
                "millrace_kind_work_seconds",
                "Time in the pipeline.",
                snapshot.kinds.map { ([store, ("kind", $0.name)], $0.work) }
            ),
            HistogramFamily(
                "millrace_kind_duration_seconds",
                "From dispatch to the end.",
                snapshot.kinds.map { ([store, ("kind", $0.name)], $0.total) }
            ),
            HistogramFamily(
                "millrace_effect_duration_seconds",
                "Effects from start to end.",
                snapshot.effects.map { ([store, ("effect", $0.name)], $0.latency) }
            ),
        ].filter { !$0.series.isEmpty }
    }
}
