// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceInstrumentation
import Synchronization

/// The instrumentation of the stores of a run. It measures where the time of actions goes.
final class RunInstrumentation: Sendable {
    /// One action in this number is measured: 62,500 of a million, which is enough for a p99.99.
    static let interval = 16
    private static let traceRoom = 1 << 17

    private let stores: [Instrumentation]
    private let tracing: Task<RunTrace.Ending, Never>?

    /// Starts measuring. With a trace, a task writes the measurements to it at short intervals.
    init(_ shards: LogShards, flight: FlightRecorder?, trace: RunTrace?) {
        let isTracing = trace != nil
        let stores = shards.stores.enumerated().map { number, store in
            Instrumentation(
                store,
                label: shards.count == 1 ? "access log" : "access log, shard \(number)",
                kinds: .accessLog,
                oneIn: Self.interval,
                traceRoom: isTracing && number == LogShards.first ? Self.traceRoom : 0,
                flight: number == LogShards.first ? flight : nil
            )
        }
        self.stores = stores
        tracing = trace.map { trace in
            let traced = stores[LogShards.first]
            return Task { await trace.follow(traced) }
        }
    }

    /// Ends the trace, and returns one snapshot per store and the result of the trace.
    func end() async -> ([InstrumentationSnapshot], RunTrace.Ending?) {
        tracing?.cancel()
        let traced = await tracing?.value
        var snapshots: [InstrumentationSnapshot] = []
        for store in stores { snapshots.append(await store.snapshot()) }
        return (snapshots, traced)
    }
}

extension ActionKinds<LogAction> {
    static var accessLog: ActionKinds {
        .named(["event", "define", "malformed", "chunkRead", "inputEnded", "alert", "recovered", "began"]) { action in
            switch action {
            case .event: 0
            case .define: 1
            case .malformed: 2
            case .chunkRead: 3
            case .inputEnded: 4
            case .alert: 5
            case .recovered: 6
            case .began: 7
            }
        }
    }
}
