// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceJournal
import MillraceRecords
import TestSupport
import Testing

/// Reads folders that earlier versions have written. They lie in `Fixtures`, and are never written again: a version that
/// changes the format adds a folder of its own.
///
/// `MILLRACE_WRITE_FIXTURES=NAME` writes such a folder.
@Suite("Files of earlier versions", .timeLimit(.minutes(5)))
struct OldFilesTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures")
    private static func policy() throws -> SnapshotPolicy<Sums> { .every(actions: 10, by: try .codable(version: 1)) }

    @Test("closed and torn folders are read", arguments: ["format-1-closed", "format-1-torn"])
    func reads(name: String) async throws {
        for policy in try [SnapshotPolicy<Sums>.never, Self.policy()] {
            // Each time a fresh copy, because a recovery cuts a torn end off.
            let folder = TemporaryFolder()
            let path = folder.path + "/journal"
            try FileManager.default.copyItem(atPath: Self.fixtures.appendingPathComponent(name).path, toPath: path)
            let journal = try Journal<Deed>(
                directory: path,
                codec: .bitwise(version: 1),
                durability: .process,
                segmentBytes: 65_536
            )
            let then = try await journal.state(at: 7, initialState: Sums(), reducer: summing)
            #expect(then.deeds == [1, 2, 3, 4] && then.found == 60)
            let store = try await Store(
                recovering: journal,
                initialState: Sums(),
                reducer: summing,
                snapshots: policy
            )
            #expect(store.state.deeds == Array(1...16) && store.state.found == 1_050 && store.state.sum == 136)
            #expect(store.recovery?.lastSequence == 30)
            #expect((store.recovery?.tornTail != nil) == name.hasSuffix("torn"))
            #expect(await store.lastNumbers() == ["a": 16])
            _ = await store.shutdown()
        }
    }

    /// Writes 30 actions: numbered ones, answers with causes, and two snapshots.
    @Test("writes a folder", .enabled(if: ProcessInfo.processInfo.environment["MILLRACE_WRITE_FIXTURES"] != nil))
    func writes() async throws {
        let name = try #require(ProcessInfo.processInfo.environment["MILLRACE_WRITE_FIXTURES"])
        let folder = TemporaryFolder()
        let path = folder.path + "/journal"
        let journal = try Journal<Deed>(
            directory: path,
            codec: .bitwise(version: 1),
            durability: .process,
            segmentBytes: 65_536
        )
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: Answerer(),
            snapshots: Self.policy()
        )
        for number in 1...16 {
            try await store.commit(.add(number), producer: "a", number: UInt64(number))
            await store.drain()
        }
        try await store.journaled()
        #expect(await eventually { journal.metrics.newestSnapshot == 30 || journal.metrics.snapshots >= 2 })
        try copy(path, name + "-torn")
        _ = await store.shutdown()
        try copy(path, name + "-closed")
    }

    /// Copies the segments and snapshots, without the lock and the stock. A torn copy ends within a frame.
    private func copy(_ path: String, _ name: String) throws {
        let target = Self.fixtures.appendingPathComponent(name).path
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        for file in try FileManager.default.contentsOfDirectory(atPath: path)
        where !file.hasSuffix(".tmp") && file != "lock" {
            guard var bytes = FileManager.default.contents(atPath: path + "/" + file) else { continue }
            if name.hasSuffix("torn"), file.hasPrefix("segment"), let end = bytes.lastIndex(where: { $0 != 0 }) {
                bytes = bytes[...end] + Data([0, 0, 0, 0, 0, 0, 0, 0, 77, 73, 76])
            }
            try bytes.write(to: URL(fileURLWithPath: target + "/" + file))
        }
    }
}

/// Answers each `add` but the last two with a `found`.
private struct Answerer: MiddlewareProtocol {
    func handle(action: Deed, from: ActionSource, state: @escaping GetState<Sums>) -> IO<Deed> {
        guard case .add(let number) = action, number < 15 else { return .pure() }
        return IO { output in output.dispatch(.found(number * 10)) }
    }
}
