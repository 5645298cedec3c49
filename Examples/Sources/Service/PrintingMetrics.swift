// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Synchronization

/// The smallest backend for swift-metrics: keeps one figure a metric, and prints them.
final class PrintingMetrics: MetricsFactory {
    private final class Figure: CounterHandler, RecorderHandler, TimerHandler {
        private let value = Mutex(0.0)

        var current: Double { value.withLock { $0 } }

        func increment(by amount: Int64) { value.withLock { $0 += Double(amount) } }
        func reset() { value.withLock { $0 = 0 } }
        func record(_ new: Int64) { value.withLock { $0 = Double(new) } }
        func record(_ new: Double) { value.withLock { $0 = new } }
        func recordNanoseconds(_ duration: Int64) { record(duration) }
    }

    private let figures = Mutex<[String: Figure]>([:])

    private func figure(_ label: String) -> Figure {
        figures.withLock { figures in
            let figure = figures[label] ?? Figure()
            figures[label] = figure
            return figure
        }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { figure(label) }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        figure(label)
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { figure(label) }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    /// One line a metric that is not zero.
    func print() {
        let figures = figures.withLock { $0 }
        for (label, figure) in figures.sorted(by: { $0.key < $1.key }) where figure.current != 0 {
            Swift.print("  \(label) \(figure.current)")
        }
    }
}
