// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceInstrumentation
import MillraceJournal
import MillraceMetrics
import MillraceRecords
import TestSupport
import Testing

@Suite("Figures of a journal", .timeLimit(.minutes(5)))
struct JournalExportTests {
    /// Answers each action with an IO.
    private struct Answering: MiddlewareProtocol {
        func handle(action: Int, from: ActionSource, state: @escaping GetState<Int>) -> IO<Int> { IO { _ in } }
    }

    private func withJournal(_ body: (Journal<Int>) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/millrace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(
            Journal(directory: path, codec: .bitwise(version: 1), durability: .process, segmentBytes: 65_536)
        )
    }

    private func open(_ journal: Journal<Int>) async throws -> ReduxStoreBase<Int, Int> {
        try await ReduxStoreBase(
            recovering: journal,
            initialState: 0,
            reducer: .reduce { $1 += $0 },
            middleware: Answering().named("answering"),
            held: .exact
        )
    }

    @Test("an export hands the journal's figures to the metrics system, and counts what is new only")
    func exports() async throws {
        try await withJournal { journal in
            let factory = StoreMetricsExporterMeasurementsTests.Factory()
            let store = try await open(journal)
            let exporter = StoreMetricsExporter(store, name: "orders", factory: factory)
            for round in 1...2 {
                for _ in 1...50 { store.dispatch(1) }
                try await store.journaled()
                let metrics = journal.metrics
                exporter.export(metrics)
                let values = factory.values.value
                func value(_ name: String, _ more: String = "") -> Double? {
                    values["millrace_journal_\(name){store=orders\(more)}"]
                }
                #expect(value("durable_sequence") == Double(round * 50) && value("lag_actions") == 0)
                #expect(value("groups_total") == Double(metrics.groups) && value("failed") == 0)
                #expect(value("group_actions_sum") == Double(round * 50))
                #expect(value("group_actions_bucket", ",le=+Inf") == Double(metrics.groups))
                #expect(value("group_actions_count") == Double(metrics.groups))
                #expect(values["millrace_store_reduced_actions_total{store=orders}"] == Double(round * 50))
            }
            _ = await store.shutdown()
        }
    }

    @Test("the time that the pipeline waits for its journal is a stage of its own")
    func stage() async throws {
        try await withJournal { journal in
            let store = try await open(journal)
            let instrumentation = Instrumentation(store, label: "orders")
            for _ in 1...50 { store.dispatch(1) }
            await store.drain()
            let snapshot = await instrumentation.snapshot()
            let waits = try #require(snapshot.stages.first { $0.role == .journal })
            let effects = try #require(snapshot.stages.first { $0.role == .effects })
            // Each IO waited, unless the journal was faster.
            #expect(waits.name == "journal" && waits.latency.count > 0 && waits.latency.count <= 50)
            // The wait is a part of the stage in which the IO runs.
            #expect(waits.latency.nanoseconds <= effects.latency.nanoseconds)
            let last = snapshot.stages.map(\.role).suffix(3)
            #expect(last == [.effects, .journal, .total])
            _ = await store.shutdown()
        }
    }
}
