// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// A text table of how long stages, kinds and effects took: count, p50 to p99.99, and maximum.
///
/// ```swift
/// print(LatencyTable(snapshot))
/// ```
///
/// With sampling, the counts are those of measured actions. ``SlownessReport`` says what to do about the results.
public struct LatencyTable: InstrumentationReport {
    private let snapshot: InstrumentationSnapshot

    /// Creates the table of a snapshot or an interval.
    public init(_ snapshot: InstrumentationSnapshot) {
        self.snapshot = snapshot
    }

    /// Writes the table.
    public func write<Target: TextOutputStream>(to target: inout Target) {
        target.write("\(Escaping.plain(snapshot.label)): \(snapshot.headline)\n\n")
        var stages = TextColumns(titles: ["stage"] + LatencySummary.titles)
        for stage in snapshot.stages {
            stages.rows.append([Escaping.plain(stage.name)] + LatencySummary(stage.latency).texts)
        }
        stages.write(to: &target)
        if !snapshot.kinds.isEmpty {
            var kinds = TextColumns(leading: 2, titles: ["kind", ""] + LatencySummary.titles)
            for kind in snapshot.kinds {
                kinds.rows.append([Escaping.plain(kind.name), "waiting"] + LatencySummary(kind.wait).texts)
                kinds.rows.append(["", "working"] + LatencySummary(kind.work).texts)
                kinds.rows.append(["", "in all"] + LatencySummary(kind.total).texts)
            }
            target.write("\n")
            kinds.write(to: &target)
        }
        if !snapshot.effects.isEmpty {
            var effects = TextColumns(titles: ["effects of", "started", "cancelled"] + LatencySummary.titles)
            for effect in snapshot.effects {
                effects.rows.append(
                    [
                        Escaping.plain(effect.name), Decimal.grouped(effect.started),
                        Decimal.grouped(effect.cancelled),
                    ] + LatencySummary(effect.latency).texts
                )
            }
            target.write("\n")
            effects.write(to: &target)
        }
        if let remark = snapshot.remark { target.write("\n\(remark)\n") }
    }
}

extension InstrumentationSnapshot {
    /// The number of actions, and the time.
    var headline: String {
        let time = Decimal.duration(active.wholeNanoseconds)
        let sampled = sampledText.map { " (\(Decimal.grouped(measured)) measured, \($0))" } ?? ""
        return "\(Decimal.count(actions, "action"))\(sampled) in \(time)"
    }

    /// The sampling interval as text; nil if all actions were measured.
    var sampledText: String? {
        sampling > 1 ? "1 in \(sampling)\(isMixed ? ", mixed" : "")" : isMixed ? "mixed rates" : nil
    }

    /// A remark about measurements that are missing; nil if none are.
    var remark: String? {
        var texts: [String] = []
        func were(_ count: UInt64, _ what: String) -> String {
            "\(Decimal.count(count, what)) \(count == 1 ? "was" : "were")"
        }
        if outliers > 0 { texts.append("\(were(outliers, "measured duration")) longer than an hour.") }
        if missedStages > 0 {
            texts.append("\(were(missedStages, "stage")) not measured: their action had 512 before.")
        }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }
}

extension Duration {
    /// The duration in nanoseconds; 0 if it is negative, `UInt64.max` if it is too long.
    var wholeNanoseconds: UInt64 {
        let nanoseconds = components
        guard nanoseconds.seconds >= 0, nanoseconds.attoseconds >= 0 else { return 0 }
        let (whole, tooLong) = UInt64(nanoseconds.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, over) = whole.addingReportingOverflow(UInt64(nanoseconds.attoseconds) / 1_000_000_000)
        return tooLong || over ? .max : sum
    }
}
