// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Millrace
import MillraceInstrumentation
import MillraceMetrics
import TestSupport
import Testing

@Suite("Exporter of measurements", .timeLimit(.minutes(5)))
struct StoreMetricsExporterMeasurementsTests {
    /// Sums of counters and last values of gauges, by label and dimensions; counts the handles that were made.
    final class Factory: MetricsFactory {
        private final class Handle: CounterHandler, FloatingPointCounterHandler, RecorderHandler {
            private let key: String
            private let values: Shared<[String: Double]>

            init(_ key: String, _ values: Shared<[String: Double]>) {
                self.key = key
                self.values = values
            }

            private func add(_ amount: Double) { values.update { $0[key, default: 0] += amount } }
            func increment(by amount: Int64) { add(Double(amount)) }
            func increment(by amount: Double) { add(amount) }
            func record(_ value: Int64) { values.update { $0[key] = Double(value) } }
            func record(_ value: Double) { values.update { $0[key] = value } }
            func reset() { values.update { $0[key] = nil } }
        }

        let values = Shared<[String: Double]>([:])
        let made = Shared(0)

        private func handle(_ label: String, _ dimensions: [(String, String)]) -> Handle {
            made.update { $0 += 1 }
            return Handle("\(label){\(dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: ","))}", values)
        }

        func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
            handle(label, dimensions)
        }
        func makeFloatingPointCounter(
            label: String,
            dimensions: [(String, String)]
        ) -> any FloatingPointCounterHandler { handle(label, dimensions) }
        func makeRecorder(
            label: String,
            dimensions: [(String, String)],
            aggregate: Bool
        ) -> any RecorderHandler { handle(label, dimensions) }
        func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
            fatalError("a timer would be given each time by itself")
        }
        func destroyCounter(_ handler: any CounterHandler) {}
        func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
        func destroyRecorder(_ handler: any RecorderHandler) {}
        func destroyTimer(_ handler: any TimerHandler) {}
    }

    private let factory = Factory()

    /// An exporter of a store without actions.
    private func makeExporter(_ name: String = "orders") -> StoreMetricsExporter {
        StoreMetricsExporter(name: name, factory: factory) { StoreMetrics() }
    }

    private func latency(_ times: [UInt64]) -> LatencyDistribution {
        var latency = LatencyDistribution(digits: .three)
        for time in times { latency.record(time) }
        return latency
    }

    private func snapshot(
        _ times: [UInt64],
        stages: [String] = ["queue"],
        kinds: [KindSnapshot] = [],
        effects: [String] = ["mail"]
    ) -> InstrumentationSnapshot {
        InstrumentationSnapshot(
            label: "label",
            since: 1_760_000_000_000_000_000,
            until: 1_760_000_002_000_000_000,
            active: .seconds(2),
            sampling: 16,
            actions: UInt64(times.count) * 16,
            measured: UInt64(times.count),
            missedStages: 0,
            stages: stages.map { StageSnapshot(name: $0, role: .queue, latency: latency(times)) },
            kinds: kinds,
            effects: effects.map {
                EffectSnapshot(name: $0, started: 9, completed: 8, cancelled: 1, latency: latency(times))
            },
            series: LatencySeries(columnNanoseconds: 1_000_000),
            memory: 3_500_000,
            mostMemory: 8_000_000
        )
    }

    @Test("sums are those of the last snapshot, whatever lies between")
    func sums() {
        let exporter = makeExporter()
        for times in [[500], [500, 2_000], [500, 2_000, .max / 4], [500]] as [[UInt64]] {
            exporter.export(snapshot(times), limits: [1_000_000, 1_000])
        }
        let stage = "millrace_stage_duration_seconds"
        let labels = "store=orders,stage=queue,role=queue"
        let values = factory.values.value
        #expect(values["\(stage)_bucket{\(labels),le=0.000001}"] == 1)
        #expect(values["\(stage)_bucket{\(labels),le=0.001}"] == 2)
        #expect(values["\(stage)_bucket{\(labels),le=+Inf}"] == 3)
        #expect(values["\(stage)_count{\(labels)}"] == 3)
        #expect(abs((values["\(stage)_sum{\(labels)}"] ?? 0) / (Double(UInt64.max / 4) / 1e9) - 1) < 1e-9)
        #expect(values["millrace_actions_total{store=orders}"] == 48)
        #expect(values["millrace_measured_actions_total{store=orders}"] == 3)
        #expect(values["millrace_effects_started_total{store=orders,effect=mail}"] == 9)
        #expect(values["millrace_instrumentation_memory_bytes{store=orders}"] == 3_500_000)
    }

    @Test("handles are made once")
    func handles() {
        let exporter = makeExporter()
        let ofCounters = factory.made.value
        exporter.export(snapshot([1]))
        let made = factory.made.value
        // Two histograms, three counters, three of effects, a gauge.
        #expect(made - ofCounters == 2 * (PrometheusReport.defaultLimits.count + 3) + 3 + 3 + 1)
        exporter.export(snapshot([1, 2, 3]))
        exporter.export(snapshot([1, 2, 3]))
        #expect(factory.made.value == made)
    }

    @Test("names that occur twice are one series, and names of any form are kept")
    func twice() {
        let name = "</script>\u{202E}\"\\\n"
        let exporter = makeExporter(name)
        let kinds = ["other", "other", ""].map {
            KindSnapshot(
                name: $0,
                count: 6,
                wait: latency([1, 2, 3]),
                work: latency([1]),
                total: latency([1]),
                nanosecondsByStage: []
            )
        }
        let twice = snapshot([], kinds: kinds, effects: ["mail", "mail"])
        exporter.export(twice, limits: [])
        exporter.export(twice, limits: [])
        let values = factory.values.value
        #expect(values["millrace_kind_wait_seconds_count{store=\(name),kind=other}"] == 6)
        #expect(values["millrace_kind_wait_seconds_count{store=\(name),kind=}"] == 3)
        #expect(values["millrace_effects_started_total{store=\(name),effect=mail}"] == 18)
    }

    @Test("a pass exports the counters of the store, too, and reports whether it is there")
    func counters() async {
        var store: ReduxStoreBase<Int, Int>? = ReduxStoreBase(initialState: 0, reducer: .reduce { $1 += $0 })
        let exporter = StoreMetricsExporter(store!, name: "orders", factory: factory)
        let instrumentation = Instrumentation(store!)
        store?.dispatch(contentsOf: 0..<10)
        await store?.drain()
        #expect(exporter.export(await instrumentation.snapshot()))
        #expect(factory.values.value["millrace_store_reduced_actions_total{store=orders}"] == 10)
        #expect(factory.values.value["millrace_actions_total{store=orders}"] == 10)
        let last = await instrumentation.snapshot()
        store = nil
        #expect(await eventually { !exporter.export(last) })
        await exporter.run(every: .seconds(3_600)) { last }
    }

    @Test("it runs until the task is cancelled, and exports once more then; nil ends it")
    func run() async {
        let exporter = makeExporter()
        let passes = Shared(0)
        let task = Task {
            await exporter.run(every: .seconds(3_600), limits: []) { [self] in
                snapshot(
                    Array(
                        repeating: 5,
                        count: passes.update {
                            $0 += 1; return $0
                        }
                    )
                )
            }
        }
        while passes.value == 0 { await Task.yield() }
        task.cancel()
        await task.value
        #expect(passes.value == 2)
        #expect(factory.values.value["millrace_measured_actions_total{store=orders}"] == 2)
        await exporter.run { nil }
    }
}
