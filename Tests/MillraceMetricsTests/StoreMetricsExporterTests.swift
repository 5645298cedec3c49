// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Dispatch
import Millrace
import MillraceMetrics
import TestSupport
import Testing

@Suite("Exporter of metrics", .timeLimit(.minutes(5)))
struct StoreMetricsExporterTests {
    private let factory = RecordingFactory()

    private func makeStore(capacity: StoreCapacity = .unbounded) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(initialState: 0, reducer: .reduce { $1 += $0 }, publication: .onDemand, capacity: capacity)
    }

    /// A store whose pipeline waits for the gate at every action.
    private func makeGatedStore(
        _ gate: DispatchSemaphore,
        capacity: StoreCapacity = .unbounded
    ) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: .reduce { _, _ in gate.wait() },
            publication: .onDemand,
            capacity: capacity
        )
    }

    @Test("the totals are exact after every pass, with dispatches in between")
    func totals() async {
        let store = makeStore()
        let exporter = StoreMetricsExporter(store, name: "orders", factory: factory)
        var expected = 0.0
        for round in 1...5 {
            store.dispatch(contentsOf: 0..<(round * 100))
            await store.drain()
            expected += Double(round * 100)
            exporter.export()
            #expect(factory.total("offered_actions") == expected)
            #expect(factory.total("reduced_actions") == expected)
        }
        exporter.export()
        #expect(factory.total("reduced_actions") == expected, "a pass without news adds nothing")
        _ = await store.shutdown()
        store.dispatch(1)
        exporter.export()
        #expect(factory.total("rejected_actions") == 1)
        #expect(factory.total("offered_actions") == expected + 1)
        let counters = store.metrics
        #expect(factory.total("dropped_actions") == 0 && factory.total("cancelled_actions") == 0)
        #expect(factory.total("batches") == Double(counters.batches))
        #expect(factory.total("wake_ups") == Double(counters.wakeUps))
        #expect(factory.total("producer_stalls") == Double(counters.stalledProducer))
    }

    @Test("dropped actions are counted, and the gauges show what waits")
    func gauges() async {
        let gate = DispatchSemaphore(value: 0)
        let store = makeGatedStore(gate, capacity: .bounded(3, overflow: .dropNewest))
        let exporter = StoreMetricsExporter(store, name: "orders", factory: factory)
        for number in 0..<5 { store.dispatch(number) }
        exporter.export()
        let counters = store.metrics
        #expect(factory.level("pending_actions") == 3)
        #expect(factory.level("queue_depth_slots") == Double(counters.depth) && counters.depth > 0)
        #expect(factory.level("queue_high_water_mark_slots") == Double(counters.highWaterMark))
        #expect(factory.level("queue_segments") == Double(counters.queueSegments) && counters.queueSegments > 0)
        #expect(factory.total("dropped_actions") == 2)
        for _ in 0..<3 { gate.signal() }
        _ = await store.shutdown()
        exporter.export()
        #expect(factory.level("pending_actions") == 0)
        #expect(factory.level("queue_depth_slots") == 0)
        #expect(factory.level("oldest_action_age_seconds") == 0)
        #expect(factory.level("queue_high_water_mark_slots") == Double(store.metrics.highWaterMark))
        #expect(factory.total("reduced_actions") == 3)
    }

    /// Answers 1 with 10 and 20.
    private struct Answering: MiddlewareProtocol {
        func handle(action: Int, from: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            guard action == 1 else { return .pure() }
            return IO { output in
                output.dispatch(10)
                output.dispatch(20)
            }
        }
    }

    @Test("urgent and internal actions are counted, each by its own counter")
    func urgentAndInternal() async {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { $1 += $0 },
            middleware: Answering(),
            order: .internalFirst
        )
        let exporter = StoreMetricsExporter(store, name: "orders", factory: factory)
        for round in 1...2 {
            store.dispatch(1)
            for _ in 0..<3 { store.dispatch(urgent: 100) }
            await store.drain()
            exporter.export()
            #expect(factory.total("internal_actions") == Double(2 * round))
            #expect(factory.total("urgent_actions") == Double(3 * round))
            #expect(factory.total("offered_actions") == Double(6 * round))
        }
    }

    @Test("vanished elements and unmatched actions are counted")
    func vanished() {
        let vanished = Shared<UInt64>(3)
        let exporter = StoreMetricsExporter(name: "orders", factory: factory) {
            var counters = StoreMetrics()
            (counters.vanished, counters.unmatched) = (vanished.value, 2 * vanished.value)
            return counters
        }
        exporter.export()
        vanished.value = 5
        exporter.export()
        #expect(factory.total("vanished_elements") == 5)
        #expect(factory.total("unmatched_actions") == 10)
    }

    @Test("the age of the oldest is in seconds")
    func age() async {
        var counters = StoreMetrics()
        counters.ageOfOldest = .milliseconds(1_500)
        let still = counters
        StoreMetricsExporter(name: "orders", factory: factory) { still }.export()
        #expect(factory.level("oldest_action_age_seconds") == 1.5)
    }

    @Test("the age of a real store: between what it was before and after the pass")
    func ageOfStore() async {
        let gate = DispatchSemaphore(value: 0)
        let store = makeGatedStore(gate)
        let exporter = StoreMetricsExporter(store, name: "orders", factory: factory)
        store.dispatch(1)
        while store.metrics.ageOfOldest < .milliseconds(20) { await Task.yield() }
        let before = store.metrics.ageOfOldest
        exporter.export()
        let after = store.metrics.ageOfOldest
        let age = Duration.seconds(factory.level("oldest_action_age_seconds"))
        #expect(age >= before - .microseconds(1) && age <= after + .microseconds(1))
        gate.signal()
    }

    @Test("names have units, every handle has the dimension, and each handle is made once")
    func handles() async {
        let store = makeStore()
        let exporter = StoreMetricsExporter(store, name: "orders", factory: factory)
        exporter.export()
        let made = factory.made.all
        for _ in 0..<10 {
            store.dispatch(1)
            await store.drain()
            exporter.export()
        }
        #expect(factory.made.all == made, "no handle after the first pass")
        #expect(Set(made).count == made.count)
        #expect(
            made.sorted() == [
                "millrace_store_batches_total", "millrace_store_cancelled_actions_total",
                "millrace_store_dropped_actions_total", "millrace_store_internal_actions_total",
                "millrace_store_offered_actions_total", "millrace_store_oldest_action_age_seconds",
                "millrace_store_pending_actions", "millrace_store_producer_stalls_total",
                "millrace_store_queue_depth_slots", "millrace_store_queue_high_water_mark_slots",
                "millrace_store_queue_segments", "millrace_store_reduced_actions_total",
                "millrace_store_rejected_actions_total", "millrace_store_unmatched_actions_total",
                "millrace_store_urgent_actions_total", "millrace_store_vanished_elements_total",
                "millrace_store_wake_ups_total",
            ]
        )
        for (label, handle) in factory.all {
            #expect(handle.dimensions == ["store=orders"])
            #expect(handle.isGauge == !label.hasSuffix("_total"), "\(label)")
        }
    }

    @Test("a figure that goes back gives no negative delta, and is not counted twice")
    func neverNegative() {
        let offered = Shared<UInt64>(0)
        let exporter = StoreMetricsExporter(name: "orders", factory: factory) {
            var counters = StoreMetrics()
            counters.offered = offered.value
            return counters
        }
        for value: UInt64 in [10, 8, 9, 12, 12] {
            offered.value = value
            exporter.export()
        }
        #expect(factory.all["millrace_store_offered_actions_total"]?.values.all == [10, 2])
    }

    @Test("a count that no counter can take at once is handed over in parts, and does not trap")
    func huge() {
        let exporter = StoreMetricsExporter(name: "orders", factory: factory) {
            var counters = StoreMetrics()
            counters.offered = .max
            return counters
        }
        for _ in 0..<4 { exporter.export() }
        let parts = factory.all["millrace_store_offered_actions_total"]?.values.all
        #expect(parts == [Double(Int64.max), Double(Int64.max), 1])
    }

    @Test("passes of several threads while others dispatch: the sums are exact")
    func threads() async {
        let store = makeStore()
        let exporter = StoreMetricsExporter(store, name: "orders", factory: factory)
        await elsewhere {
            onThreads(4) { thread in
                for _ in 0..<200 {
                    if thread < 2 { store.dispatch(contentsOf: 0..<10) } else { exporter.export() }
                }
            }
        }
        let report = await store.shutdown()
        exporter.export()
        #expect(report.metrics.reduced == 4_000)
        #expect(factory.total("reduced_actions") == 4_000)
        #expect(factory.total("offered_actions") == 4_000)
        #expect(factory.all.values.allSatisfy { $0.values.all.allSatisfy { $0 >= 0 } })
    }

    @Test("the loop passes again and again, and hands over the last deltas when it is cancelled")
    func loop() async {
        let store = makeStore()
        let exporter = StoreMetricsExporter(store, name: "orders", factory: factory)
        let quick = Task { await exporter.run(every: .zero) }
        for round in 1...3 {
            store.dispatch(1)
            #expect(await eventually { factory.total("reduced_actions") == Double(round) })
        }
        quick.cancel()
        await quick.value

        let slow = Task { await exporter.run(every: .seconds(3_600)) }
        let passes = factory.all["millrace_store_pending_actions"]?.values
        let before = passes?.count ?? 0
        #expect(await eventually { (passes?.count ?? 0) > before })
        store.dispatch(contentsOf: [1, 1, 1, 1])
        _ = await store.shutdown()
        slow.cancel()
        await slow.value
        #expect(factory.total("reduced_actions") == 7)
    }

    @Test("the exporter does not keep its store; when it is gone, the gauges are zero and the loop ends")
    func gone() async {
        let gate = DispatchSemaphore(value: 0)
        var store: ReduxStoreBase<Int, Int>? = makeGatedStore(gate)
        weak let gone = store
        let exporter = StoreMetricsExporter(store!, name: "orders", factory: factory)
        store?.dispatch(contentsOf: [1, 2])
        #expect(exporter.export())
        #expect(factory.level("pending_actions") == 2)
        let loop = Task { await exporter.run(every: .milliseconds(1)) }
        store = nil
        await loop.value
        #expect(gone == nil)
        #expect(!exporter.export())
        for name in ["pending_actions", "queue_depth_slots", "oldest_action_age_seconds", "queue_segments"] {
            #expect(factory.level(name) == 0, "\(name)")
        }
        #expect(factory.level("queue_high_water_mark_slots") > 0)
        for _ in 0..<2 { gate.signal() }
    }

    @Test("the handles come from the program's factory by default")
    func bootstrapped() {
        MetricsSystem.bootstrap(factory)  // once a process: no other test may
        StoreMetricsExporter(makeStore(), name: "orders").export()
        #expect(factory.made.count == 17)
    }
}
