// SPDX-License-Identifier: Apache-2.0

/// The measurements as JSON, for programs. Times are whole nanoseconds.
///
/// ```swift
/// try JSONReport(snapshot).write(toFile: "latency.json")
/// ```
///
/// The names of members do not change in later versions; new members may be added.
///
/// | member | contents |
/// |---|---|
/// | `label`, `since`, `until`, `active`, `sampling` | as in ``InstrumentationSnapshot``; times since 1970 |
/// | `actions`, `measured`, `missedStages`, `outliers` | counts |
/// | `memory`, `mostMemory` | bytes |
/// | `stages` | array: `name`, `role`, figures |
/// | `kinds` | array: `name`; `wait`, `work` and `total`, each with figures; `sumByStage`, in the order of `stages` |
/// | `effects` | array: `name`, `started`, `completed`, `cancelled`, figures |
/// | `slowness` | `waitingShare`, `busyShare`, 0 to 1; `findings`, an array: `text`, `hint` |
/// | `series` | latencies over time: `columnNanoseconds`, `offsetNanoseconds`, `rows`, `columns` |
///
/// `rows` of the series has the shortest time of each row. A column is an array of row, count, row, count, without the
/// empty rows, see ``LatencySeries``.
///
/// Figures: `count`, `p50`, `p90`, `p99`, `p999` (99.9 %), `p9999`, `max`, `sum`, `outliers`.
public struct JSONReport: InstrumentationReport {
    private let snapshot: InstrumentationSnapshot

    /// Creates a report of a snapshot or an interval.
    public init(_ snapshot: InstrumentationSnapshot) {
        self.snapshot = snapshot
    }

    /// Writes one JSON object, indented.
    public func write<Target: TextOutputStream>(to target: inout Target) {
        JSON.object(snapshot.members).write(to: &target, indent: "")
        target.write("\n")
    }
}

extension InstrumentationSnapshot {
    /// The members of the report's object.
    fileprivate var members: [(String, JSON)] {
        let slowness = SlownessReport(self)
        return [
            ("label", .text(label)), ("since", .number(since)), ("until", .number(until)),
            ("active", .number(active.wholeNanoseconds)), ("sampling", .number(UInt64(max(0, sampling)))),
            ("actions", .number(actions)), ("measured", .number(measured)),
            ("missedStages", .number(missedStages)), ("outliers", .number(outliers)),
            ("memory", .number(UInt64(max(0, memory)))), ("mostMemory", .number(UInt64(max(0, mostMemory)))),
            (
                "stages",
                .array(
                    stages.map { stage in
                        .object(
                            [("name", .text(stage.name)), ("role", .text(stage.role.rawValue))] + stage.latency.members
                        )
                    }
                )
            ),
            (
                "kinds",
                .array(
                    kinds.map { kind in
                        .object([
                            ("name", .text(kind.name)), ("wait", .object(kind.wait.members)),
                            ("work", .object(kind.work.members)), ("total", .object(kind.total.members)),
                            ("sumByStage", .numbers(kind.nanosecondsByStage)),
                        ])
                    }
                )
            ),
            (
                "effects",
                .array(
                    effects.map { effect in
                        .object(
                            [
                                ("name", .text(effect.name)), ("started", .number(effect.started)),
                                ("completed", .number(effect.completed)), ("cancelled", .number(effect.cancelled)),
                            ] + effect.latency.members
                        )
                    }
                )
            ),
            ("slowness", slowness.json), ("series", series.json),
        ]
    }
}

extension LatencyDistribution {
    /// The figures of a distribution.
    fileprivate var members: [(String, JSON)] {
        LatencySummary(self).members + [("sum", .number(nanoseconds)), ("outliers", .number(outliers))]
    }
}

extension SlownessReport {
    var json: JSON {
        // Nine decimal places, so that the smallest share is not shown as 0.
        func share(_ value: Double) -> JSON { .decimal((value * 1e9).rounded() / 1e9) }
        return .object([
            ("waitingShare", share(waitingShare)), ("busyShare", share(busyShare)),
            (
                "findings",
                .array(findings.map { .object([("text", .text($0.text)), ("hint", .text($0.hint))]) })
            ),
        ])
    }
}

extension LatencySeries {
    var json: JSON {
        .object([
            ("columnNanoseconds", .number(columnNanoseconds)), ("offsetNanoseconds", .number(offsetNanoseconds)),
            ("rows", .numbers((0..<Self.rows).map(Self.lowest(ofRow:)))),
            (
                "columns",
                .array(
                    columns.map { column in
                        .numbers(column.counts.enumerated().flatMap { $1 == 0 ? [] : [UInt64($0), $1] })
                    }
                )
            ),
        ])
    }
}
