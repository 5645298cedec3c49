// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
import MillraceCore
import Synchronization

/// Exports measurements to swift-metrics, and so to the metrics system that the program has chosen.
///
/// ```swift
/// let exporter = InstrumentationMetricsExporter()
/// await exporter.run(every: .seconds(10)) { await instrumentation.snapshot() }    // until the task is cancelled
/// ```
///
/// The names and labels are those of ``PrometheusReport``. A histogram is exported as counters: `…_bucket` with the
/// dimension `le`, cumulative and in seconds, `…_count` and `…_sum`. (A timer of swift-metrics would have to receive
/// every recorded time on its own, a million calls a pass.) In PromQL, `histogram_quantile` accepts them like any other
/// histogram.
///
/// Each pass adds to the counters what was measured since the previous pass. So counters never decrease, and their sum
/// is exact.
///
/// **Threads and cost.** Any thread may call; passes of one exporter wait for each other. A counter is created when its
/// stage or kind first occurs, and is kept: later passes look up nothing in the metrics system. A histogram has one
/// counter for each limit, and three more; a kind has three histograms. Use one exporter for each instrumentation.
public final class InstrumentationMetricsExporter: Sendable {
    /// The counters of a series, and the values that were exported to them.
    private struct Series {
        let buckets: [Counter]
        let count: Counter
        let sum: FloatingPointCounter
        var exported: [UInt64]
        var nanoseconds: UInt64 = 0
    }

    private struct State {
        var histograms: [[String]: Series] = [:]
        var counters: [[String]: (handle: Counter, exported: UInt64)] = [:]
        var memory: Gauge?
    }

    private let limits: [UInt64]
    private let factory: any MetricsFactory
    /// The lock also makes one pass wait for another.
    private let state = Mutex(State())

    /// Creates an exporter.
    ///
    /// - Parameters:
    ///   - limits: The limits of the buckets, in nanoseconds, in any order; `+Inf` is added.
    ///   - factory: The factory that creates the metrics. Default: the one that the program passed to
    ///     `MetricsSystem.bootstrap`, which must be called before.
    public init(
        limits: [UInt64] = PrometheusReport.defaultLimits,
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.limits = Set(limits).sorted()
        self.factory = factory
    }

    /// Runs one pass: adds what is new in a snapshot. Pass snapshots, not intervals: a figure that is smaller than
    /// before adds nothing until it is larger again.
    public func export(_ snapshot: InstrumentationSnapshot) {
        let store = ("store", snapshot.label)
        state.withLock { state in
            for family in snapshot.histogramFamilies {
                for (labels, latency) in family.series { add(latency, family.name, labels, &state) }
            }
            add(snapshot.actions, "millrace_actions_total", [store], &state)
            add(snapshot.measured, "millrace_measured_actions_total", [store], &state)
            add(snapshot.missedStages, "millrace_missed_stages_total", [store], &state)
            let effects = snapshot.effects.map {
                ([store, ("effect", $0.name)], [$0.started, $0.completed, $0.cancelled])
            }
            for (labels, counts) in HistogramFamily.merged(effects, { zip($0, $1).map(&+) }) {
                for (word, count) in zip(["started", "completed", "cancelled"], counts) {
                    add(count, "millrace_effects_\(word)_total", labels, &state)
                }
            }
            let memory =
                state.memory
                ?? Gauge(
                    label: "millrace_instrumentation_memory_bytes",
                    dimensions: [store],
                    factory: factory
                )
            state.memory = memory
            memory.record(snapshot.memory)
        }
    }

    /// Runs a pass now and after every interval, until the task is cancelled or `snapshot` returns nil. After a
    /// cancellation it runs a last pass, so that everything measured before is exported.
    ///
    /// - Parameters:
    ///   - interval: The time between two passes; at least a millisecond.
    ///   - snapshot: The closure that returns what was measured until now; nil when there is nothing more to read.
    public func run(
        every interval: Duration = .seconds(10),
        snapshot: @Sendable () async -> InstrumentationSnapshot?
    ) async {
        while let next = await snapshot() {
            export(next)
            do {
                try await Task.sleep(for: max(interval, .milliseconds(1)))
            } catch {
                if let last = await snapshot() { export(last) }
                return
            }
        }
    }

    private func add(
        _ latency: LatencyDistribution,
        _ name: String,
        _ labels: HistogramFamily.Labels,
        _ state: inout State
    ) {
        let key = [name] + labels.map(\.value)
        let dimensions = labels.map { ($0.name, $0.value) }
        var series =
            state.histograms[key]
            ?? Series(
                buckets: (limits.map { Decimal.scaled($0, 9) } + ["+Inf"]).map {
                    Counter(label: name + "_bucket", dimensions: dimensions + [("le", $0)], factory: factory)
                },
                count: Counter(label: name + "_count", dimensions: dimensions, factory: factory),
                sum: FloatingPointCounter(label: name + "_sum", dimensions: dimensions, factory: factory),
                exported: Array(repeating: 0, count: limits.count + 1)
            )
        if latency.count > series.exported[limits.count] {
            series.count.increment(by: Int64(clamping: latency.count - series.exported[limits.count]))
        }
        for (index, count) in (latency.cumulativeCounts(limits) + [latency.count]).enumerated()
        where count > series.exported[index] {
            series.buckets[index].increment(by: Int64(clamping: count - series.exported[index]))
            series.exported[index] = count
        }
        if latency.nanoseconds > series.nanoseconds {
            series.sum.increment(by: Double(latency.nanoseconds - series.nanoseconds) / 1e9)
            series.nanoseconds = latency.nanoseconds
        }
        state.histograms[key] = series
    }

    private func add(_ count: UInt64, _ name: String, _ labels: HistogramFamily.Labels, _ state: inout State) {
        let key = [name] + labels.map(\.value)
        var counter =
            state.counters[key]
            ?? (Counter(label: name, dimensions: labels.map { ($0.name, $0.value) }, factory: factory), 0)
        if count > counter.exported {
            counter.handle.increment(by: Int64(clamping: count - counter.exported))
            counter.exported = count
        }
        state.counters[key] = counter
    }
}
