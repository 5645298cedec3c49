// SPDX-License-Identifier: Apache-2.0

extension JournalMetrics {
    /// The figures in Prometheus's text format, version 0.0.4.
    ///
    /// ```swift
    /// let text = journal.metrics.prometheusText(store: "orders")
    /// ```
    ///
    /// | name | kind |
    /// |---|---|
    /// | `millrace_journal_recorded_sequence`, `…_written_sequence`, `…_durable_sequence` | gauge |
    /// | `millrace_journal_lag_actions` | gauge |
    /// | `millrace_journal_held`, `…_segments_in_stock`, `…_newest_snapshot_sequence` | gauge |
    /// | `millrace_journal_unfinished_effects` | gauge; with `effects: .restart` also `…_finished_effects_sequence` |
    /// | `millrace_journal_failed` | gauge: 1 if the journal writes no more |
    /// | `millrace_journal_groups_total`, `…_syncs_total`, `…_snapshots_total`, `…_failed_snapshots_total` | counter |
    /// | `millrace_journal_waits_for_disk_total`, `…_waits_for_journal_total`, `…_dropped_held_total` | counter |
    /// | `millrace_journal_sync_duration_seconds`, `millrace_journal_group_actions` | histogram |
    ///
    /// All have the label `store`. `StoreMetricsExporter` in `MillraceMetrics` exports the same figures.
    ///
    /// - Parameter store: The value of the label `store`.
    public func prometheusText(store: String) -> String {
        let label = "store=\"\(Self.escaped(store))\""
        var text = ""
        for figure in figures {
            text += "# TYPE \(figure.name) \(figure.isCounter ? "counter" : "gauge")\n"
            text += "\(figure.name){\(label)} \(figure.value)\n"
        }
        for histogram in histograms {
            text += "# TYPE \(histogram.name) histogram\n"
            for bucket in histogram.buckets {
                text += "\(histogram.name)_bucket{\(label),le=\"\(bucket.limit)\"} \(bucket.count)\n"
            }
            text += "\(histogram.name)_sum{\(label)} \(histogram.sum)\n"
            text += "\(histogram.name)_count{\(label)} \(histogram.count)\n"
        }
        return text
    }

    /// A figure with its name in metrics systems.
    package struct Figure {
        package let name: String
        package let isCounter: Bool
        package let value: UInt64
    }

    /// The figures that are one number.
    package var figures: [Figure] {
        func gauge(_ name: String, _ value: UInt64) -> Figure {
            Figure(name: "millrace_journal_\(name)", isCounter: false, value: value)
        }
        func counter(_ name: String, _ value: UInt64) -> Figure {
            Figure(name: "millrace_journal_\(name)_total", isCounter: true, value: value)
        }
        return [
            gauge("recorded_sequence", recorded), gauge("written_sequence", written),
            gauge("durable_sequence", durable), gauge("lag_actions", lag), gauge("held", UInt64(max(0, held))),
            gauge("segments_in_stock", UInt64(max(0, segmentsInStock))),
            gauge("newest_snapshot_sequence", newestSnapshot), gauge("failed", failure == nil ? 0 : 1),
            gauge("unfinished_effects", UInt64(max(0, unfinishedEffects))),
            counter("groups", groups), counter("syncs", syncs), counter("snapshots", snapshots),
            counter("failed_snapshots", failedSnapshots), counter("waits_for_disk", waitsForDisk),
            counter("waits_for_journal", waitsForJournal), counter("dropped_held", UInt64(max(0, droppedHeld))),
        ] + (finishedEffects.map { [gauge("finished_effects_sequence", $0)] } ?? [])
    }

    /// A histogram with its name in metrics systems, and cumulative counts.
    package struct Buckets {
        package let name: String
        package let buckets: [(limit: String, count: UInt64)]
        package let sum: String
        package let count: UInt64
    }

    /// The histograms, times in seconds.
    package var histograms: [Buckets] {
        [
            Self.buckets("millrace_journal_sync_duration_seconds", syncTimes, Self.seconds),
            Self.buckets("millrace_journal_group_actions", groupSizes) { String($0) },
        ]
    }

    private static func buckets(
        _ name: String,
        _ histogram: JournalHistogram,
        _ text: (UInt64) -> String
    ) -> Buckets {
        var reached: UInt64 = 0
        var buckets = zip(histogram.limits, histogram.counts).map { limit, count in
            reached &+= count
            return (limit: text(limit), count: reached)
        }
        buckets.append(("+Inf", histogram.count))
        return Buckets(name: name, buckets: buckets, sum: text(histogram.sum), count: histogram.count)
    }

    /// Nanoseconds as seconds, without a loss: `0.00002`.
    private static func seconds(_ nanoseconds: UInt64) -> String {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if rest == 0 { return String(whole) }
        let digits = String(rest)
        var fraction = String(repeating: "0", count: 9 - digits.count) + digits
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(whole).\(fraction)"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }
}
