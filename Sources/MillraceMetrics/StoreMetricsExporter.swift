// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
public import Millrace
import Synchronization

/// Hands the counters of a store to swift-metrics, and by it to Prometheus, StatsD or whatever the program chose.
///
/// ```swift
/// let exporter = StoreMetricsExporter(store, name: "orders")
/// await exporter.run(every: .seconds(10))      // until the task is cancelled
/// ```
///
/// | name | kind | of `StoreMetrics` |
/// |---|---|---|
/// | `millrace_store_offered_actions_total` | counter | `offered` |
/// | `millrace_store_reduced_actions_total` | counter | `reduced` |
/// | `millrace_store_dropped_actions_total` | counter | `dropped` |
/// | `millrace_store_rejected_actions_total` | counter | `rejected` |
/// | `millrace_store_cancelled_actions_total` | counter | `cancelled` |
/// | `millrace_store_batches_total` | counter | `batches` |
/// | `millrace_store_wake_ups_total` | counter | `wakeUps` |
/// | `millrace_store_producer_stalls_total` | counter | `stalledProducer` |
/// | `millrace_store_pending_actions` | gauge | `pending` |
/// | `millrace_store_queue_depth_slots` | gauge | `depth` |
/// | `millrace_store_queue_high_water_mark_slots` | gauge | `highWaterMark` |
/// | `millrace_store_oldest_action_age_seconds` | gauge | `ageOfOldest`, a fraction |
/// | `millrace_store_queue_segments` | gauge | `queueSegments` |
///
/// Each has the dimension `store`, the name. Counters are given what came since the last pass, so they never go down,
/// and their sum is exact, but that a pass in the very moment of a `drain()` may leave `offered` one too high.
///
/// **Life.** The exporter does not keep its store alive. When the store is gone, a pass sets the gauges to zero, except
/// the high-water mark, and ``run(every:)`` returns. What the store finishes after its release is counted by nobody: shut
/// a store down and export once more before you let it go.
///
/// **In a service group** it takes a few lines. List it before the store, so that at a graceful shutdown it ends after it,
/// with the last figures. A cancellation ends all services at once: then export once more after the group.
///
/// ```swift
/// struct MetricsService: Service {
///     let exporter: StoreMetricsExporter
///
///     func run() async throws {
///         await cancelWhenGracefulShutdown { await exporter.run(every: .seconds(10)) }
///     }
/// }
/// let group = ServiceGroup(services: [MetricsService(exporter: exporter), StoreService(store)], logger: logger)
/// ```
///
/// **Threads and cost.** Any thread; passes of one exporter wait for each other. The thirteen handles are made once, so a
/// pass looks nothing up; the store's actions pay nothing. One exporter for one store: two would count everything twice.
public final class StoreMetricsExporter: Sendable {
    private typealias Count = @Sendable (StoreMetrics) -> UInt64
    private typealias Level = @Sendable (StoreMetrics) -> Double

    private let source: @Sendable () -> StoreMetrics?
    private let counters: [(metric: Counter, value: Count)]
    private let gauges: [(metric: Gauge, value: Level)]
    private let highWaterMark: Gauge
    /// How much each counter was given. The lock is also what makes one pass wait for another.
    private let exported: Mutex<[UInt64]>

    /// An exporter of a store, which it does not keep alive.
    ///
    /// - Parameters:
    ///   - store: Whose counters.
    ///   - name: The value of the dimension `store`. A name for each store of the program, few and fixed.
    ///   - factory: Where the handles are made. Default: what the program gave to `MetricsSystem.bootstrap`, which has to
    ///     be called before.
    public convenience init<ActionType, StateType>(
        _ store: ReduxStoreBase<ActionType, StateType>,
        name: String,
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.init(name: name, factory: factory) { [weak store] in store?.metrics }
    }

    /// An exporter of counters from anywhere: of several stores as one, or of a store that something else holds.
    ///
    /// ```swift
    /// let exporter = StoreMetricsExporter(name: "orders") { north.metrics + south.metrics }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The value of the dimension `store`.
    ///   - factory: Where the handles are made.
    ///   - metrics: The counters now; nil when there is nothing to read any more, which ends ``run(every:)``. The exporter
    ///     keeps what the closure captures. It must not call ``export()``. A count that is smaller than before adds
    ///     nothing until it is larger again.
    public init(
        name: String,
        factory: any MetricsFactory = MetricsSystem.factory,
        metrics: @escaping @Sendable () -> StoreMetrics?
    ) {
        let dimensions = [("store", name)]
        func counter(_ label: String, _ value: @escaping Count) -> (metric: Counter, value: Count) {
            (Counter(label: "millrace_store_\(label)_total", dimensions: dimensions, factory: factory), value)
        }
        func gauge(_ label: String, _ value: @escaping Level) -> (metric: Gauge, value: Level) {
            (Gauge(label: "millrace_store_\(label)", dimensions: dimensions, factory: factory), value)
        }
        source = metrics
        counters = [
            counter("offered_actions") { $0.offered },
            counter("reduced_actions") { $0.reduced },
            counter("dropped_actions") { $0.dropped },
            counter("rejected_actions") { $0.rejected },
            counter("cancelled_actions") { $0.cancelled },
            counter("batches") { $0.batches },
            counter("wake_ups") { $0.wakeUps },
            counter("producer_stalls") { $0.stalledProducer },
        ]
        gauges = [
            gauge("pending_actions") { Double($0.pending) },
            gauge("queue_depth_slots") { Double($0.depth) },
            gauge("oldest_action_age_seconds") { $0.ageOfOldest / .seconds(1) },
            gauge("queue_segments") { Double($0.queueSegments) },
        ]
        highWaterMark = gauge("queue_high_water_mark_slots") { Double($0.highWaterMark) }.metric
        exported = Mutex(Array(repeating: 0, count: counters.count))
    }

    /// One pass: reads the counters once, adds to the counters and sets the gauges.
    ///
    /// ```swift
    /// exporter.export()
    /// ```
    ///
    /// - Returns: Whether there were counters to read; false when the store is gone.
    @discardableResult
    public func export() -> Bool {
        exported.withLock { exported in
            guard let metrics = source() else {
                for (gauge, _) in gauges { gauge.record(0) }
                return false
            }
            for (index, (counter, value)) in counters.enumerated() {
                // Figures that are read while threads dispatch may be a little behind those of the pass before.
                let now = value(metrics)
                guard now > exported[index] else { continue }
                let delta = Int64(clamping: now - exported[index])
                counter.increment(by: delta)
                exported[index] += UInt64(delta)
            }
            for (gauge, value) in gauges { gauge.record(value(metrics)) }
            highWaterMark.record(Double(metrics.highWaterMark))
            return true
        }
    }

    /// Passes now and at every interval, until the task is cancelled or the store is gone; a last one at the end, so that
    /// nothing that was counted before the cancellation is missing.
    ///
    /// ```swift
    /// let exporting = Task { await exporter.run(every: .seconds(10)) }
    /// _ = await store.shutdown()
    /// exporting.cancel()
    /// await exporting.value                        // the counters now agree with a report that is complete
    /// ```
    ///
    /// - Parameter interval: Between two passes; at least a millisecond.
    public func run(every interval: Duration = .seconds(10)) async {
        while export() {
            do {
                try await Task.sleep(for: max(interval, .milliseconds(1)))
            } catch {
                export()
                return
            }
        }
    }
}
