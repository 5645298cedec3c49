// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The measurements in Prometheus's text format, version 0.0.4: histograms with cumulative buckets, in seconds.
///
/// ```swift
/// try PrometheusReport(snapshot).write(toFile: "/var/lib/node_exporter/orders.prom")
/// ```
///
/// | name | kind | labels |
/// |---|---|---|
/// | `millrace_actions_total` | counter, exact also with sampling | `store` |
/// | `millrace_measured_actions_total` | counter | `store` |
/// | `millrace_missed_stages_total` | counter | `store` |
/// | `millrace_stage_duration_seconds` | histogram | `store`, `stage`, `role` |
/// | `millrace_kind_wait_seconds` | histogram | `store`, `kind` |
/// | `millrace_kind_work_seconds` | histogram | `store`, `kind` |
/// | `millrace_kind_duration_seconds`, waiting and work together | histogram | `store`, `kind` |
/// | `millrace_effect_duration_seconds` | histogram | `store`, `effect` |
/// | `millrace_effects_started_total`, `…_completed_total`, `…_cancelled_total` | counter | `store`, `effect` |
/// | `millrace_instrumentation_memory_bytes` | gauge | `store` |
///
/// Write snapshots, not intervals: counters must only grow. The report has buckets, not percentiles, because buckets of
/// several processes can be added. With sampling, histograms contain the measured actions only.
///
/// A time counts in each bucket whose limit it does not exceed. Times are as exact as the histogram's digits: a time
/// may count in a bucket whose limit it exceeds a little, and is never missing in one. Outliers are in `+Inf`, and the
/// sum is exact.
public struct PrometheusReport: InstrumentationReport {
    /// The default limits of the buckets, in nanoseconds: 1, 2.5 and 5 times the powers of ten, from 100 ns to 10 s.
    public static let defaultLimits: [UInt64] = {
        var limits: [UInt64] = []
        var power: UInt64 = 100
        while power < 10_000_000_000 {
            limits += [power, power * 5 / 2, power * 5]
            power *= 10
        }
        return limits + [power]
    }()

    /// The value of a `Content-Type` header for this text.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let snapshot: InstrumentationSnapshot
    private let limits: [UInt64]

    /// Creates a report of a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: The measurements to write.
    ///   - limits: The limits of the buckets, in nanoseconds, in any order; `+Inf` is added.
    public init(_ snapshot: InstrumentationSnapshot, limits: [UInt64] = Self.defaultLimits) {
        self.snapshot = snapshot
        self.limits = Set(limits).sorted()
    }

    /// Writes all metric families.
    public func write<Target: TextOutputStream>(to target: inout Target) {
        let store = [("store", snapshot.label)]
        func single(_ name: String, _ type: String, _ help: String, _ value: UInt64, _ target: inout Target) {
            Self.begin(name, type, help, &target)
            Self.sample(name, store, String(value), &target)
        }
        single("millrace_actions_total", "counter", "Actions that were finished.", snapshot.actions, &target)
        single("millrace_measured_actions_total", "counter", "Actions measured.", snapshot.measured, &target)
        single(
            "millrace_missed_stages_total",
            "counter",
            "Stages that were not measured: the action had 512 before.",
            snapshot.missedStages,
            &target
        )
        for family in HistogramFamily.all(of: snapshot, store: snapshot.label) {
            Self.begin(family.name, "histogram", family.help, &target)
            for (labels, latency) in family.series { histogram(family.name, labels, latency, &target) }
        }
        effectCounters(&target)
        single(
            "millrace_instrumentation_memory_bytes",
            "gauge",
            "Memory that the instrumentation holds.",
            UInt64(max(0, snapshot.memory)),
            &target
        )
    }

    private func effectCounters(_ target: inout some TextOutputStream) {
        guard !snapshot.effects.isEmpty else { return }
        let counters: [(String, KeyPath<EffectSnapshot, UInt64>)] = [
            ("started", \.started), ("completed", \.completed), ("cancelled", \.cancelled),
        ]
        for (word, count) in counters {
            let name = "millrace_effects_\(word)_total"
            Self.begin(name, "counter", "Effects that were \(word).", &target)
            let series = snapshot.effects.map { effect in
                ([("store", snapshot.label), ("effect", effect.name)], effect[keyPath: count])
            }
            for (labels, sum) in HistogramFamily.merged(series, &+) {
                Self.sample(name, labels, String(sum), &target)
            }
        }
    }

    private func histogram(
        _ name: String,
        _ labels: HistogramFamily.Labels,
        _ latency: LatencyDistribution,
        _ target: inout some TextOutputStream
    ) {
        for (limit, count) in zip(limits, latency.cumulativeCounts(limits)) {
            Self.sample(name + "_bucket", labels + [("le", Decimal.scaled(limit, 9))], String(count), &target)
        }
        Self.sample(name + "_bucket", labels + [("le", "+Inf")], String(latency.count), &target)
        Self.sample(name + "_sum", labels, Decimal.scaled(latency.nanoseconds, 9), &target)
        Self.sample(name + "_count", labels, String(latency.count), &target)
    }

    private static func begin(_ name: String, _ type: String, _ help: String, _ target: inout some TextOutputStream) {
        target.write("# HELP \(name) \(help)\n# TYPE \(name) \(type)\n")
    }

    private static func sample(
        _ name: String,
        _ labels: HistogramFamily.Labels,
        _ value: String,
        _ target: inout some TextOutputStream
    ) {
        let texts = labels.map { "\($0.name)=\"\(Escaping.label($0.value))\"" }
        target.write("\(name){\(texts.joined(separator: ","))} \(value)\n")
    }
}
