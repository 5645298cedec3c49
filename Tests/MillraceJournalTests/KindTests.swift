// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import Testing

/// Schema: kinds and versions, checked when the journal is opened.
@Suite struct KindTests {
    enum Old: BitwiseCopyable, Equatable { case placed(Int), gone(Int) }
    enum New: BitwiseCopyable, Equatable { case placed(Int), added(Int) }

    /// A journal whose first segment was written by an older version of the program.
    private func journal() throws -> PowerCutDisk {
        let disk = PowerCutDisk(seed: 1)
        let old = try BitwiseCodec<Old>(version: 1)
        for _ in 0..<2 {
            let recovery = try JournalRecovery(disk.folder, options: smallFiles)
            var writer = try recovery.finish([old.schema])
            for action in [Old.placed(1), .gone(2), .placed(3)] {
                let head = RecordHead(sequence: writer.frame.nextSequence, time: .now)
                try writer.frame.append(action, head, by: old)
            }
            try writer.write()
            try writer.close()
        }
        return disk
    }

    private func read(_ disk: PowerCutDisk, _ policy: UnknownKinds) throws -> ([New], UInt64) {
        let upcast: @Sendable (Old) throws -> New = { old in
            switch old {
            case .placed(let id), .gone(let id): .placed(id)
            }
        }
        let codec = OnlyPlaced(codec: try BitwiseCodec<New>(version: 2).upcasting(from: 1, upcast))
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

    @Test func aMissingUpcasterIsFoundBeforeAnyActionIsRead() throws {
        let disk = try journal()
        let recovery = try JournalRecovery(disk.folder, options: smallFiles)
        let codec = try BitwiseCodec<New>(version: 2)
        #expect { _ = try KindRoutes(codec, recovery.segments, unknownKinds: .skip) } throws: { error in
            if case JournalError.file(.codec(_, nil, "placed", .tooOld)) = error { true } else { false }
        }
    }
}
