// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// A report on why a store is slow: where the time of actions goes, waiting and working, by kind and stage. It has
/// sentences and tables.
///
/// ```swift
/// print(SlownessReport(snapshot))
/// // 1. 82 % of an action's time is waiting in the queue (1.20 ms on average), 18 % is work (263 µs).
/// //    → The pipeline is the bottleneck: it is busy 94 % of the time, and finishes 3,550/s. Make the work shorter …
/// // 2. Of the work 61 % is the middleware audit, most of it (97 %) for .upload.
/// //    → Let `handle` only decide, and run the slow code in an effect; …
/// ```
///
/// The rows of the work add up to the whole work. The row `without a name` is the work of middlewares without a name;
/// the row `pipeline, measuring` is all other work that is in no stage. The time of a middleware includes that of the
/// named middlewares that it contains, which also have rows of their own.
///
/// Shares are computed from exact sums, so one slow action among a million counts with its full time. With sampling,
/// the sums are those of the measured actions, so the shares are estimates.
public struct SlownessReport: InstrumentationReport {
    /// The findings, the most important first. Never empty: if nothing was measured, a finding says so.
    public let findings: [SlownessFinding]
    /// The share of the actions' time that is waiting, 0 to 1.
    public var waitingShare: Double { shares.time > 0 ? shares.waiting / shares.time : 0 }
    /// The share of the time during which the pipeline is busy, 0 to 1.
    public var busyShare: Double { shares.busy }

    let shares: SlownessShares
    private let label: String

    /// The most rows of a table.
    static let mostRows = 12

    /// Creates a report of a snapshot or an interval.
    public init(_ snapshot: InstrumentationSnapshot) {
        shares = SlownessShares(snapshot)
        findings = shares.findings(snapshot)
        label = snapshot.label
    }

    /// Writes the findings, and below them the tables.
    public func write<Target: TextOutputStream>(to target: inout Target) {
        target.write("\(Escaping.plain(label)): why is it slow?\n\n")
        for (index, finding) in findings.enumerated() {
            target.write("\(index + 1). \(finding.text)\n   → \(finding.hint)\n")
        }
        guard shares.time > 0 else { return }
        var kinds = TextColumns(titles: ["kind", "actions", "of all time", "waiting", "working", "average"])
        for kind in shares.kinds.prefix(Self.mostRows) where kind.time > 0 {
            let parts = Decimal.percents(kind.waiting / kind.time)
            kinds.rows.append([
                kind.name, Decimal.grouped(kind.count), Decimal.percent(kind.time / shares.time), parts.share,
                parts.rest, Self.average(kind.time, kind.count),
            ])
        }
        target.write("\n")
        kinds.write(to: &target)
        guard !shares.parts.isEmpty else { return }
        var parts = TextColumns(leading: 2, titles: ["work in", "for", "of the work", "of all time", "average"])
        for part in shares.parts.prefix(Self.mostRows) {
            parts.rows.append([
                part.name, part.kind, Decimal.percent(part.time / shares.working),
                Decimal.percent(part.time / shares.time), Self.average(part.time, part.count),
            ])
        }
        target.write("\n")
        parts.write(to: &target)
    }

    static func average(_ time: Double, _ count: UInt64) -> String {
        Decimal.duration(count == 0 ? 0 : UInt64(min(time / Double(count), 0x1p63)))
    }
}
