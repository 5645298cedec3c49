// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import Testing

/// Schema: kinds and versions, checked when the journal is opened.
@Suite struct KindTests {
    enum Old: BitwiseCopyable, Equatable { case placed(Int), gone(Int) }
    enum New: BitwiseCopyable, Equatable { case placed(Int), added(Int) }

    /// A journal whose first segments were written by an older version of the program.
    private func journal() throws -> PowerCutDisk {
        let disk = PowerCutDisk(seed: 1)
        for _ in 0..<2 { try append(to: disk) }
        return disk
    }

    /// Adds a segment with three actions, the second of a kind that is unknown later.
    private func append(to disk: PowerCutDisk) throws {
        let old = try BitwiseCodec<Old>(version: 1)
        let recovery = try JournalRecovery(disk.folder, options: smallFiles)
        var writer = try recovery.finish([old.schema])
        for action in [Old.placed(1), .gone(2), .placed(3)] {
            let head = RecordHead(sequence: writer.frame.nextSequence, time: .now)
            try writer.frame.append(action, head, by: old)
        }
        try writer.write()
        try writer.close()
    }

    /// Calls `body` with a path for parked records, whose files are removed afterwards.
    private func withParked(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("millrace-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body("\(folder)/parked")
    }

    /// The sequences of the records in the files at this path, file by file.
    private func parked(_ path: String) throws -> [[UInt64]] {
        var found: [[UInt64]] = []
        while FileManager.default.fileExists(atPath: found.isEmpty ? path : "\(path).\(found.count + 1)") {
            var reader = try FrameReader(path: found.isEmpty ? path : "\(path).\(found.count + 1)")
            var sequences: [UInt64] = []
            while let record = try reader.next() { sequences.append(record.head.sequence) }
            found.append(sequences)
        }
        return found
    }

    @Sendable private static func upcast(_ old: Old) throws -> New {
        switch old {
        case .placed(let id), .gone(let id): .placed(id)
        }
    }

    private func read(_ disk: PowerCutDisk, _ policy: UnknownKinds) throws -> ([New], UInt64) {
        let codec = OnlyPlaced(codec: try BitwiseCodec<New>(version: 2).upcasting(from: 1, Self.upcast))
        var recovery = try JournalRecovery(disk.folder, options: smallFiles)
        var routes = try KindRoutes(codec, recovery.segments, unknownKinds: policy)
        var found: [New] = []
        while let record = try recovery.next() {
            let segment = recovery.segment
            try routes.enter(#require(segment))
            if let action = try routes.action(of: record) { found.append(action) }
        }
        try routes.finish()
        disk.kill()
        return (found, routes.unknown)
    }

    /// Does not know the kind `gone` any more.
    private struct OnlyPlaced: ActionCodec {
        var codec: BitwiseCodec<New>
        var schema: RecordSchema { codec.schema }
        func kind(of action: New) -> Int { codec.kind(of: action) }
        func encode(_ action: New, into output: inout RecordBuffer) throws(CodecError) {
            try codec.encode(action, into: &output)
        }
        func route(for kind: String, of type: RecordType) throws(CodecError) -> Int? {
            kind == "gone" ? nil : try codec.route(for: kind, of: type)
        }
        func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> New {
            try codec.decode(bytes, route: route)
        }
    }

    @Test func anUnknownKindIsAnError() throws {
        let disk = try journal()
        #expect { try read(disk, .fail) } throws: { error in
            if case JournalError.file(.unknownKind(_, _, "gone", 2)) = error { true } else { false }
        }
    }

    @Test func unknownKindsAreCountedOrParked() throws {
        let disk = try journal()
        let (found, unknown) = try read(disk, .skip)
        #expect(found == [.placed(1), .placed(3), .placed(1), .placed(3)] && unknown == 2)

        let path = FileManager.default.temporaryDirectory.appendingPathComponent("millrace-\(UUID().uuidString)").path
        defer { for path in [path, "\(path).2"] { try? FileManager.default.removeItem(atPath: path) } }
        #expect(try read(disk, .park(path: path)).1 == 2)
        for (path, sequence) in [(path, 2), ("\(path).2", 5)] as [(String, UInt64)] {
            var reader = try FrameReader(path: path)
            let record = try #require(try reader.next())
            #expect(record.head.sequence == sequence && reader.kind(of: record)?.name == "gone")
        }
    }

    @Test func aLaterRecoveryParksOnlyWhatIsNotParkedYet() throws {
        let disk = try journal()
        try withParked { path in
            for _ in 0..<3 { #expect(try read(disk, .park(path: path)).1 == 2) }
            #expect(try parked(path) == [[2], [5]])
            try append(to: disk)
            for _ in 0..<2 { #expect(try read(disk, .park(path: path)).1 == 3) }
            #expect(try parked(path) == [[2], [5], [8]])
        }
    }

    @Test(arguments: [0, 10, 200]) func aFileThatACrashHasCutIsNoObstacle(_ bytes: Int) throws {
        let disk = try journal()
        try withParked { path in
            _ = try read(disk, .park(path: path))
            // A crash while the first record was being parked.
            try FileManager.default.removeItem(atPath: "\(path).2")
            let file = try #require(FileHandle(forWritingAtPath: path))
            let size = try file.seekToEnd()
            try file.truncate(atOffset: bytes < 200 ? UInt64(bytes) : size - 1)
            #expect(try read(disk, .park(path: path)).1 == 2)
            var all: [UInt64] = []
            for number in 2...3 {
                var reader = try FrameReader(path: "\(path).\(number)")
                while let record = try reader.next() { all.append(record.head.sequence) }
            }
            #expect(all == [2, 5])
        }
    }

    @Test func aFileOfSomebodyElseIsKept() throws {
        let disk = try journal()
        try withParked { path in
            try Data("a letter".utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: JournalError.file(.exists(path: path))) { try read(disk, .park(path: path)) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("a letter".utf8))
        }
        // Parked records of another journal.
        try withParked { path in
            let other = try journal()
            _ = try read(other, .park(path: path))
            #expect(throws: JournalError.file(.exists(path: path))) { try read(disk, .park(path: path)) }
            #expect(try parked(path) == [[2], [5]])
        }
    }

    @Test(arguments: [false, true]) func aStoreStartsAgainAndReportsWhatItLeftOut(parks: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("millrace-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let count = Reducer<New, Int>.reduce { _, state in state += 1 }
        let old = try await ReduxStoreBase(
            recovering: Journal(
                directory: "\(folder)/journal",
                codec: BitwiseCodec<Old>(version: 1),
                durability: .process
            ),
            initialState: 0,
            reducer: .reduce { _, state in state += 1 }
        )
        old.dispatch(contentsOf: [Old.placed(1), .gone(2), .placed(3)])
        _ = await old.shutdown()
        let codec = OnlyPlaced(codec: try BitwiseCodec<New>(version: 2).upcasting(from: 1, Self.upcast))
        let policy = parks ? UnknownKinds.park(path: "\(folder)/parked") : .skip
        // Reading alone parks nothing.
        let unopened = try Journal(directory: "\(folder)/journal", codec: codec, unknownKinds: policy)
        var read = 0
        for try await _ in unopened.entries(from: 1) {
            read += 1
            if read == 2 { break }
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/parked"))
        for life in 0..<2 {
            let journal = try Journal(
                directory: "\(folder)/journal",
                codec: codec,
                durability: .process,
                unknownKinds: policy
            )
            let store = try await ReduxStoreBase(recovering: journal, initialState: 0, reducer: count)
            #expect(store.recovery?.leftOut == 1)
            #expect(store.state == 2 + life)
            store.dispatch(.added(1))
            await store.drain()
            var kinds: [String] = []
            for try await entry in journal.entries(from: 1) {
                kinds.append(entry.kind)
                if kinds.count == 3 + life { break }
            }
            _ = await store.shutdown()
        }
        #expect(FileManager.default.fileExists(atPath: "\(folder)/parked") == parks)
        if parks { #expect(try parked("\(folder)/parked") == [[2]]) }
    }

    /// Knows all kinds, and reads no action that is gone.
    private struct NothingGone: ActionCodec {
        let codec: BitwiseCodec<Old>
        var schema: RecordSchema { codec.schema }
        static var error: CodecError { .notDecodable(type: "Old", reason: "it is gone", offset: nil) }
        func kind(of action: Old) -> Int { codec.kind(of: action) }
        func encode(_ action: Old, into output: inout RecordBuffer) throws(CodecError) {
            try codec.encode(action, into: &output)
        }
        func route(for kind: String, of type: RecordType) throws(CodecError) -> Int? {
            try codec.route(for: kind, of: type)
        }
        func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Old {
            let action = try codec.decode(bytes, route: route)
            if case .gone = action { throw Self.error }
            return action
        }
    }

    @Test func anActionThatCannotBeReadIsAnErrorWithItsPlaceAndKind() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("millrace-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let codec = try BitwiseCodec<Old>(version: 1)
        let count = Reducer<Old, Int>.reduce { _, state in state += 1 }
        let store = try await ReduxStoreBase(
            recovering: Journal(directory: folder, codec: codec, durability: .process),
            initialState: 0,
            reducer: count
        )
        store.dispatch(contentsOf: [Old.placed(1), .gone(2), .placed(3)])
        _ = await store.shutdown()

        func isExpected(_ error: any Error) -> Bool {
            guard case JournalError.file(.codec(let path, let offset?, "gone", NothingGone.error)) = error else {
                return false
            }
            return path.hasPrefix("\(folder)/segment-") && offset > 0
        }
        // Whatever is done with unknown kinds, this one is known.
        let journal = try Journal(directory: folder, codec: NothingGone(codec: codec), unknownKinds: .skip)
        var found: [Old] = []
        await #expect {
            for try await entry in journal.entries(from: 1) { found.append(entry.action) }
        } throws: { isExpected($0) }
        await #expect {
            _ = try await ReduxStoreBase(recovering: journal, initialState: 0, reducer: count)
        } throws: { isExpected($0) }
    }

    @Test func eachShardParksInFilesOfItsOwn() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("millrace-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let old = try await ShardedStore(
            recovering: ShardedJournal<Old>(
                directory: "\(folder)/journal",
                shards: 2,
                codec: BitwiseCodec(version: 1),
                durability: .process
            ),
            by: { action in
                switch action {
                case .placed(let id), .gone(let id): id
                }
            },
            initialState: { _ in 0 },
            reducer: .reduce { _, state in state += 1 },
            middleware: { _ in IdentityMiddleware<Old, Old, Int>() }
        )
        for id in 1...20 { old.dispatch(.gone(id)) }
        _ = await old.shutdown()
        for _ in 0..<2 {
            let store = try await ShardedStore(
                recovering: ShardedJournal<New>(
                    directory: "\(folder)/journal",
                    shards: 2,
                    codec: OnlyPlaced(codec: try BitwiseCodec<New>(version: 2).upcasting(from: 1, Self.upcast)),
                    durability: .process,
                    unknownKinds: .park(path: "\(folder)/parked")
                ),
                by: { action in
                    switch action {
                    case .placed(let id), .added(let id): id
                    }
                },
                initialState: { _ in 0 },
                reducer: .reduce { _, state in state += 1 },
                middleware: { _ in IdentityMiddleware<New, New, Int>() }
            )
            #expect(store.states == [0, 0])
            _ = await store.shutdown()
            let found = try (0..<2).map { try parked("\(folder)/parked.shard-\($0)") }
            #expect(found.allSatisfy { $0.count == 1 && !$0[0].isEmpty })
            #expect(found.joined().joined().count == 20)
        }
    }

    @Test func aMissingUpcasterIsFoundBeforeAnyActionIsRead() throws {
        let disk = try journal()
        let recovery = try JournalRecovery(disk.folder, options: smallFiles)
        let codec = try BitwiseCodec<New>(version: 2)
        #expect { _ = try KindRoutes(codec, recovery.segments, unknownKinds: .skip) } throws: { error in
            if case JournalError.file(.codec(_, nil, "placed", .tooOld)) = error { true } else { false }
        }
    }
}
