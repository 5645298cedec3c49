// SPDX-License-Identifier: Apache-2.0

/// How long stages, kinds and effects took, as aligned text: p50 to p99.99 and the longest.
///
/// ```swift
/// print(LatencyTable(snapshot))
/// ```
///
/// With sampling the counts are of what was measured. See ``SlownessReport`` for what to do about it.
public struct LatencyTable: InstrumentationReport {
    private let snapshot: InstrumentationSnapshot

    /// The table of a snapshot or an interval.
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
    /// How many actions in what time.
    var headline: String {
        let time = Decimal.duration(active.wholeNanoseconds)
        let sampled = sampledText.map { " (\(Decimal.grouped(measured)) measured, \($0))" } ?? ""
        return "\(Decimal.grouped(actions)) actions\(sampled) in \(time)"
    }

    /// At which rate actions were measured; nil: all of them.
    var sampledText: String? {
        sampling > 1 ? "1 in \(sampling)\(isMixed ? ", mixed" : "")" : isMixed ? "mixed rates" : nil
    }

    /// What is missing in the figures; nil if nothing is.
    var remark: String? {
        var texts: [String] = []
        func were(_ count: UInt64, _ what: String) -> String {
            count == 1 ? "1 \(what) was" : "\(Decimal.grouped(count)) \(what)s were"
        }
        if outliers > 0 { texts.append("\(were(outliers, "time")) over an hour.") }
        if missedStages > 0 {
            texts.append("\(were(missedStages, "stage")) not measured: nested too deep.")
        }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }
}

extension Duration {
    /// Nanoseconds; 0 if it is negative, the most that fits if it is too long.
    var wholeNanoseconds: UInt64 {
        let nanoseconds = components
        guard nanoseconds.seconds >= 0, nanoseconds.attoseconds >= 0 else { return 0 }
        let (whole, tooLong) = UInt64(nanoseconds.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, over) = whole.addingReportingOverflow(UInt64(nanoseconds.attoseconds) / 1_000_000_000)
        return tooLong || over ? .max : sum
    }
}
