// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Logging
import Millrace
import MillraceMetrics
import MillraceService
import ServiceLifecycle

/// Sends orders until it is told to stop, or for a second; then the group shuts down.
struct Orders: Service {
    let store: ReduxStoreBase<Int, [Int: Int]>

    func run() async throws {
        let end = ContinuousClock.now + .seconds(1)
        var order = 0
        while !Task.isShuttingDownGracefully, ContinuousClock.now < end {
            // Waits while the store is full, but not longer than the group lives: the store is shut down after this.
            do {
                try await cancelWhenGracefulShutdown { [order] in try await store.send(order) }
            } catch is CancellationError {
                break
            }
            order += 1
        }
        print("sent \(order) orders")
    }
}

/// Exports the metrics until the store has ended.
struct Metrics: Service {
    let exporter: StoreMetricsExporter

    func run() async throws {
        await cancelWhenGracefulShutdown { await exporter.run(every: .milliseconds(250)) }
    }
}

let metrics = PrintingMetrics()
MetricsSystem.bootstrap(metrics)

let store = ReduxStoreBase(
    initialState: [:],
    reducer: Reducer<Int, [Int: Int]>.reduce { order, perCustomer in perCustomer[order % 10, default: 0] += 1 },
    capacity: .bounded(1_000)
)

// Shut down from the last to the first: no more orders, then the store drains, then the last figures are exported.
let group = ServiceGroup(
    configuration: .init(
        services: [
            .init(service: Metrics(exporter: StoreMetricsExporter(store, name: "orders"))),
            .init(service: StoreService(store, shutdownDeadline: .seconds(10)) { print($0) }),
            .init(service: Orders(store: store), successTerminationBehavior: .gracefullyShutdownGroup),
        ],
        gracefulShutdownSignals: [.sigterm],
        cancellationSignals: [.sigint],
        logger: Logger(label: "orders")
    )
)
do {
    try await group.run()
} catch let error as StoreShutdownError {
    print(error)  // says how many actions were dropped, which handler is stuck, and what to change
}

print("orders of customer 0: \(store.state[0, default: 0]); metrics:")
metrics.print()
