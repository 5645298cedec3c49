// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
import Synchronization

/// Hands what was measured to swift-metrics, and by it to whatever the program chose.
///
/// ```swift
/// let exporter = InstrumentationMetricsExporter()
/// await exporter.run(every: .seconds(10)) { await instrumentation.snapshot() }    // until the task is cancelled
/// ```
///
/// The names and labels are those of ``PrometheusReport``. A histogram becomes counters: `…_bucket` with the
/// dimension `le`, cumulative and in seconds, `…_count` and `…_sum`. (A timer of swift-metrics would have to be given
/// each time by itself, a million calls a pass.) In PromQL, `histogram_quantile` takes them as any other histogram.
///
/// Counters are given what came since the pass before, so they never go down and their sum is exact.
///
/// **Threads and cost.** Any thread; passes of one exporter wait for each other. A handle is made when its stage or
/// kind occurs first, and kept: later passes look nothing up in the metrics system. A histogram has as many handles as
/// limits, and three; a kind has three histograms. One exporter for one instrumentation.
public final class InstrumentationMetricsExporter: Sendable {
    /// The handles of a series, and what they were given.
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
    /// The lock is also what makes one pass wait for another.
    private let state = Mutex(State())

    /// An exporter.
    ///
    /// - Parameters:
    ///   - limits: Of the buckets, in nanoseconds; sorted here, `+Inf` is added.
    ///   - factory: Where the handles are made. Default: what the program gave to `MetricsSystem.bootstrap`, which has
    ///     to be called before.
    public init(
        limits: [UInt64] = PrometheusReport.defaultLimits,
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.limits = Set(limits).sorted()
        self.factory = factory
    }

    /// One pass: adds what is new in a snapshot. Snapshots, not intervals: a figure that is smaller than before adds
    /// nothing until it is larger again.
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

    /// Passes now and at every interval, until the task is cancelled or there is nothing to read any more; a last one
    /// at the end, so that nothing that was measured before the cancellation is missing.
    ///
    /// - Parameters:
    ///   - interval: Between two passes; at least a millisecond.
    ///   - snapshot: What was measured until now; nil when there is nothing to read any more.
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
