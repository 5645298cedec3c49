// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import TestSupport

/// Keeps what it is given, and counts the handles it makes. (MetricsTestKit's `TestMetrics` does not count them.)
final class RecordingFactory: MetricsFactory {
    /// A counter, or a gauge.
    final class Handle: CounterHandler, RecorderHandler, TimerHandler, Sendable {
        let dimensions: [String]
        let isGauge: Bool
        let values = Recorder<Double>()

        init(_ dimensions: [(String, String)], isGauge: Bool) {
            self.dimensions = dimensions.map { "\($0.0)=\($0.1)" }
            self.isGauge = isGauge
        }

        func increment(by amount: Int64) { values.record(Double(amount)) }
        func reset() { values.record(-.infinity) }
        func record(_ value: Int64) { values.record(Double(value)) }
        func record(_ value: Double) { values.record(value) }
        func recordNanoseconds(_ duration: Int64) { values.record(.infinity) }
    }

    private let handles = Shared<[String: Handle]>([:])
    /// The labels of the handles made, in order.
    let made = Recorder<String>()

    private func make(_ label: String, _ dimensions: [(String, String)], isGauge: Bool) -> Handle {
        made.record(label)
        let handle = Handle(dimensions, isGauge: isGauge)
        handles.update { $0[label] = handle }
        return handle
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        make(label, dimensions, isGauge: false)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        make(label, dimensions, isGauge: !aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        make(label, dimensions, isGauge: false)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    var all: [String: Handle] { handles.value }

    /// What a counter of the store was given so far.
    func total(_ name: String) -> Double {
        all["millrace_store_\(name)_total"]?.values.all.reduce(0, +) ?? .nan
    }

    /// What a gauge of the store shows.
    func level(_ name: String) -> Double {
        all["millrace_store_\(name)"]?.values.all.last ?? .nan
    }
}
