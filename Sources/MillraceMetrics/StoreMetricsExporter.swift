// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
public import Millrace
import Synchronization

/// Exports the counters of a store to swift-metrics, and through it to the program's backend, such as Prometheus or
/// StatsD; also what an `Instrumentation` of the store measures.
///
/// ```swift
/// let exporter = StoreMetricsExporter(store, name: "orders")
/// await exporter.run(every: .seconds(10))      // until the task is cancelled
/// ```
///
/// With measurements, call ``run(every:limits:snapshot:)`` instead. These are the counters:
///
/// | name | kind | property of `StoreMetrics` |
/// |---|---|---|
/// | `millrace_store_offered_actions_total` | counter | `offered` |
/// | `millrace_store_urgent_actions_total` | counter | `urgentActions`, a part of `offered` |
/// | `millrace_store_internal_actions_total` | counter | `internalActions`, a part of `offered` |
/// | `millrace_store_reduced_actions_total` | counter | `reduced` |
/// | `millrace_store_dropped_actions_total` | counter | `dropped` |
/// | `millrace_store_rejected_actions_total` | counter | `rejected` |
/// | `millrace_store_cancelled_actions_total` | counter | `cancelled` |
/// | `millrace_store_unmatched_actions_total` | counter | `unmatched` |
/// | `millrace_store_vanished_elements_total` | counter | `vanished` |
/// | `millrace_store_batches_total` | counter | `batches` |
/// | `millrace_store_wake_ups_total` | counter | `wakeUps` |
/// | `millrace_store_producer_stalls_total` | counter | `stalledProducer` |
/// | `millrace_store_pending_actions` | gauge | `pending` |
/// | `millrace_store_queue_depth_slots` | gauge | `depth` |
/// | `millrace_store_queue_high_water_mark_slots` | gauge | `highWaterMark` |
/// | `millrace_store_oldest_action_age_seconds` | gauge | `ageOfOldest`, in seconds with a fraction |
/// | `millrace_store_queue_segments` | gauge | `queueSegments` |
///
/// Each metric has the dimension `store` with the exporter's name. An export adds to each counter the difference since
/// the last export, so counters never go down, and their sums are exact. One exception: an export at the very moment of
/// a `drain()` may leave `offered` one too high.
///
/// **Lifetime.** The exporter does not keep its store alive. After the store was released, an export sets the gauges to
/// zero, except the high-water mark, and ``run(every:)`` returns. Actions that the store finishes after its release are
/// not counted: shut the store down and export once more before you release it.
///
/// **In a service group** write a small service around the exporter, as below. List it before the store: at a graceful
/// shutdown it then ends after the store, with the final values. A cancellation ends all services at once: then export
/// once more after the group has ended.
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
/// **Threads and cost.** Any thread; exports of one exporter wait for each other. The exporter creates its seventeen
/// metric handles once, so an export looks nothing up. Exporting costs the store's actions nothing. Use one exporter
/// for a store: two would count everything twice.
public final class StoreMetricsExporter: Sendable {
    private typealias Count = @Sendable (StoreMetrics) -> UInt64
    private typealias Level = @Sendable (StoreMetrics) -> Double

    private let source: @Sendable () -> StoreMetrics?
    private let counters: [(metric: Counter, value: Count)]
    private let gauges: [(metric: Gauge, value: Level)]
    private let highWaterMark: Gauge
    /// The value exported so far for each counter. The lock also makes one export wait for another.
    private let exported: Mutex<[UInt64]>
    /// The value of the dimension `store`.
    let name: String
    /// The metrics of what was measured. The lock also makes one export wait for another.
    let measurements: Mutex<CachedMetrics>

    /// Creates an exporter of a store, which it does not keep alive.
    ///
    /// - Parameters:
    ///   - store: The store whose counters are exported.
    ///   - name: The value of the dimension `store`. Give each store of the program its own name, from a small fixed
    ///     set.
    ///   - factory: The factory that creates the metric handles. Default: the factory given to
    ///     `MetricsSystem.bootstrap`, which must be called before.
    public convenience init<ActionType, StateType>(
        _ store: ReduxStoreBase<ActionType, StateType>,
        name: String,
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.init(name: name, factory: factory) { [weak store] in store?.metrics }
    }

    /// Creates an exporter of counters that a closure returns: of several stores together, or of a store that other
    /// code holds.
    ///
    /// ```swift
    /// let exporter = StoreMetricsExporter(name: "orders") { north.metrics + south.metrics }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The value of the dimension `store`.
    ///   - factory: The factory that creates the metric handles.
    ///   - metrics: A closure that returns the current counters, or nil if there is nothing left to read, which ends
    ///     ``run(every:)``. It must not call ``export()``. The exporter keeps the values that the closure captures. A
    ///     count that is smaller than before adds nothing until it is larger again.
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
        self.name = name
        measurements = Mutex(CachedMetrics(factory: factory))
        source = metrics
        counters = [
            counter("offered_actions") { $0.offered },
            counter("urgent_actions") { $0.urgentActions },
            counter("internal_actions") { $0.internalActions },
            counter("reduced_actions") { $0.reduced },
            counter("dropped_actions") { $0.dropped },
            counter("rejected_actions") { $0.rejected },
            counter("cancelled_actions") { $0.cancelled },
            counter("unmatched_actions") { $0.unmatched },
            counter("vanished_elements") { $0.vanished },
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

    /// Reads the store's counters once, adds the differences to the exported counters, and sets the gauges.
    ///
    /// ```swift
    /// exporter.export()
    /// ```
    ///
    /// - Returns: Whether there were counters to read; false after the store was released.
    @discardableResult
    public func export() -> Bool {
        exported.withLock { exported in
            guard let metrics = source() else {
                for (gauge, _) in gauges { gauge.record(0) }
                return false
            }
            for (index, (counter, value)) in counters.enumerated() {
                // Counters that are read while threads dispatch may be slightly smaller than those of the last export.
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

    /// Exports now and after every interval, until the task is cancelled or the store was released. After a
    /// cancellation the method exports once more, so that no action counted before the cancellation is missing.
    ///
    /// ```swift
    /// let exporting = Task { await exporter.run(every: .seconds(10)) }
    /// _ = await store.shutdown()
    /// exporting.cancel()
    /// await exporting.value                        // the counters now agree with a report that is complete
    /// ```
    ///
    /// - Parameter interval: The time between two exports; a shorter time than a millisecond counts as a millisecond.
    public func run(every interval: Duration = .seconds(10)) async {
        await run(every: interval) { export() }
    }

    /// Calls `pass` now and after every interval until it returns false; after a cancellation once more.
    func run(every interval: Duration, pass: () async -> Bool) async {
        while await pass() {
            do {
                try await Task.sleep(for: max(interval, .milliseconds(1)))
            } catch {
                _ = await pass()
                return
            }
        }
    }
}
