// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Millrace
import MillraceJournal
import MillraceRecords
import MillraceService
import ServiceLifecycle
import TestSupport
import Testing

@Suite("A store with a journal as a service", .timeLimit(.minutes(5)))
struct JournaledServiceTests {
    @Test("when the group has ended, everything is written and the journal can be opened again")
    func closes() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/millrace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        for round in 1...3 {
            let journal = try Journal<Int>(
                directory: path,
                codec: .bitwise(version: 1),
                durability: .process,
                segmentBytes: 65_536
            )
            let store = try await ReduxStoreBase(
                recovering: journal,
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { $1 += $0 }
            )
            #expect(store.state == (round - 1) * 100)
            let reports = Recorder<ShutdownReport>()
            let group = ServiceGroup(
                services: [StoreService(store) { reports.record($0) }],
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            )
            let running = Task { try await group.run() }
            for _ in 1...100 { store.dispatch(1) }
            await group.triggerGracefulShutdown()
            try await running.value
            #expect(reports.all.first?.isComplete == true)
            #expect(journal.metrics.lag == 0 && journal.metrics.recorded == UInt64(round * 100))
        }
    }

    /// An action that cannot always be encoded.
    private struct Amount: Codable, Sendable {
        var value: Double

        func encode(to encoder: any Encoder) throws {
            guard value.isFinite else {
                throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "not finite"))
            }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(value, forKey: .value)
        }

        private enum CodingKeys: CodingKey { case value }
    }

    @Test("a failed journal ends the group with its error", arguments: [JournalFailurePolicy.stop, .detach])
    func failure(policy: JournalFailurePolicy) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/millrace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let journal = try Journal<Amount>(
            directory: path,
            codec: .codable(version: 1),
            durability: .process,
            onFailure: policy,
            segmentBytes: 65_536
        )
        let failures = Recorder<JournalError>()
        journal.reportFailure { failures.record($0) }
        let store = try await ReduxStoreBase(
            recovering: journal,
            initialState: 0,
            reducer: Reducer<Amount, Double>.reduce { $1 += $0.value }
        )
        let reports = Recorder<ShutdownReport>()
        let group = ServiceGroup(
            services: [StoreService(store) { reports.record($0) }],
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        let running = Task { try await group.run() }
        store.dispatch(Amount(value: 1))
        try await store.journaled()
        store.dispatch(Amount(value: .infinity))
        #expect(await eventually { failures.count == 1 })
        if policy == .stop {
            // Nobody tells the group to shut down.
            await #expect(throws: JournalError.self) { try await running.value }
            #expect(store.isClosed)
        } else {
            store.dispatch(Amount(value: 1))
            await store.drain()
            #expect(store.metrics.reduced == 3 && reports.count == 0)
            await group.triggerGracefulShutdown()
            try await running.value
        }
        #expect(reports.count == 1)
    }
}
