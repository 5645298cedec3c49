// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import MillraceInstrumentation
import TestSupport
import Testing

@Suite("Export to swift-metrics", .timeLimit(.minutes(5)))
struct InstrumentationMetricsExporterTests {
    /// Sums of counters and last values of gauges, by label and dimensions; counts the handles that were made.
    private final class Factory: MetricsFactory {
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

    private func snapshot(_ times: [UInt64]) -> InstrumentationSnapshot {
        let latency = SampleSnapshots.latency(times)
        return SampleSnapshots.snapshot(
            actions: UInt64(times.count) * 16,
            measured: UInt64(times.count),
            stages: [StageSnapshot(name: "queue", role: .queue, latency: latency)],
            effects: [EffectSnapshot(name: "mail", started: 9, completed: 8, cancelled: 1, latency: latency)]
        )
    }

    @Test("sums are those of the last snapshot, whatever lies between")
    func sums() {
        let exporter = InstrumentationMetricsExporter(limits: [1_000, 1_000_000], factory: factory)
        for times in [[500], [500, 2_000], [500, 2_000, .max / 4], [500]] as [[UInt64]] {
            exporter.export(snapshot(times))
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
        let exporter = InstrumentationMetricsExporter(factory: factory)
        exporter.export(snapshot([1]))
        let made = factory.made.value
        // Two histograms, three counters, three of effects, a gauge.
        #expect(made == 2 * (PrometheusReport.defaultLimits.count + 3) + 3 + 3 + 1)
        exporter.export(snapshot([1, 2, 3]))
        exporter.export(snapshot([1, 2, 3]))
        #expect(factory.made.value == made)
    }

    @Test("names that occur twice are one series")
    func twice() {
        let exporter = InstrumentationMetricsExporter(limits: [], factory: factory)
        exporter.export(SampleSnapshots.hostile)
        exporter.export(SampleSnapshots.hostile)
        let values = factory.values.value
        let label = SampleSnapshots.hostile.label
        #expect(values["millrace_kind_wait_seconds_count{store=\(label),kind=other}"] == 12)
    }

    @Test("it runs until the task is cancelled, and exports once more then; nil ends it")
    func run() async {
        let exporter = InstrumentationMetricsExporter(limits: [], factory: factory)
        let passes = Shared(0)
        let task = Task {
            await exporter.run(every: .seconds(3_600)) { [self] in
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
