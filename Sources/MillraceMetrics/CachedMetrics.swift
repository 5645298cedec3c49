// SPDX-License-Identifier: Apache-2.0

import CoreMetrics

/// Metrics that are created when they first get a value, and then kept, with what was exported to them.
struct CachedMetrics {
    typealias Dimensions = [(name: String, value: String)]

    private let factory: any MetricsFactory
    private var counters: [[String]: (metric: Counter, exported: UInt64)] = [:]
    private var sums: [[String]: (metric: FloatingPointCounter, exported: UInt64)] = [:]
    private var gauges: [[String]: Gauge] = [:]

    init(factory: any MetricsFactory) { self.factory = factory }

    /// Adds to a counter the growth of a count since the last call, or nothing if the count became smaller.
    mutating func count(_ count: UInt64, _ label: String, _ dimensions: Dimensions) {
        let key = Self.key(label, dimensions)
        var counter =
            counters[key] ?? (Counter(label: label, dimensions: Self.pairs(dimensions), factory: factory), 0)
        if count > counter.exported {
            let delta = Int64(clamping: count - counter.exported)
            counter.metric.increment(by: delta)
            counter.exported += UInt64(delta)
        }
        counters[key] = counter
    }

    /// The same for a sum of nanoseconds, which is exported in seconds.
    mutating func seconds(nanoseconds: UInt64, _ label: String, _ dimensions: Dimensions) {
        let key = Self.key(label, dimensions)
        var sum =
            sums[key]
            ?? (FloatingPointCounter(label: label, dimensions: Self.pairs(dimensions), factory: factory), 0)
        if nanoseconds > sum.exported {
            sum.metric.increment(by: Double(nanoseconds - sum.exported) / 1e9)
            sum.exported = nanoseconds
        }
        sums[key] = sum
    }

    /// Sets a gauge.
    mutating func record(_ value: Int, _ label: String, _ dimensions: Dimensions) {
        let key = Self.key(label, dimensions)
        let gauge = gauges[key] ?? Gauge(label: label, dimensions: Self.pairs(dimensions), factory: factory)
        gauge.record(value)
        gauges[key] = gauge
    }

    private static func key(_ label: String, _ dimensions: Dimensions) -> [String] {
        [label] + dimensions.map(\.value)
    }

    private static func pairs(_ dimensions: Dimensions) -> [(String, String)] {
        dimensions.map { ($0.name, $0.value) }
    }
}
