// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceRecords
import TestSupport
import Testing

/// Files of parked records whose disk is full, or whose folder goes.
@Suite struct ParkedRecordsFaultTests {
    private static let journal = JournalID()

    /// The bytes of a segment with ten actions, each of 800 bytes.
    private static func segment() throws -> [UInt8] {
        let codec = try CodableCodec<String>(version: 1)
        var header = RecordFileHeader(purpose: .segment, journal: journal, firstSequence: 1)
        header.add(codec.schema, as: .action)
        var writer = try FrameWriter(header: header, codec: codec)
        for number in 1...10 as ClosedRange<UInt64> {
            let head = RecordHead(sequence: number, time: ActionTime(nanosecondsSince1970: 1))
            try writer.append(String(repeating: "x", count: 800), head)
        }
        return try writer.takeBytes()
    }

    /// Parks all of them.
    private static func park(_ path: String, before: (UInt64) throws -> Void = { _ in }) throws {
        var reader = try FrameReader(bytes: segment())
        var parked = try ParkedRecords(path: path, beside: reader.header, from: 1)
        while let record = try reader.next() {
            guard case .action(let kind) = record.content else { continue }
            try before(record.head.sequence)
            try parked.append(record, kind: kind)
        }
        try parked.keep()
    }

    /// Expects that a call fails with this reason, and parks nothing. The error names the file before its renaming.
    private static func expect(_ call: String, _ reason: String, _ path: String, _ body: () throws -> Void) {
        #expect {
            try body()
        } throws: { error in
            guard case RecordFileError.system(call, let file, reason) = error else { return false }
            return file.hasPrefix(path + ".partial-")
        }
    }

    private static func last(_ path: String) throws -> UInt64 {
        try ParkedRecords.lastSequence(path: path, of: journal)
    }

    @Test func recordsAreParked() throws {
        try withFolder { folder in
            try Self.park(folder + "/parked")
            #expect(try Self.last(folder + "/parked") == 10)
        }
    }

    @Test func theFileHasItsNameWhenItIsComplete() throws {
        try withFolder { folder in
            let path = folder + "/parked"
            try Self.park(path) { _ in #expect(!FileManager.default.fileExists(atPath: path)) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["parked"])
            #expect(try Self.last(path) == 10)
        }
    }

    @Test func aFullDiskIsAnErrorAndLeavesNoFile() async {
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                let path = folder + "/parked"
                limitFiles(to: 4_000)
                ParkedRecordsFaultTests.expect("write", "File too large", path) {
                    try ParkedRecordsFaultTests.park(path)
                }
                let left = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(left == [])
            }
        }
    }

    @Test func aDiskThatIsFullFromTheBeginningIsAnErrorAndLeavesNoFile() async {
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                limitFiles(to: 10)
                ParkedRecordsFaultTests.expect("write", "File too large", folder + "/parked") {
                    try ParkedRecordsFaultTests.park(folder + "/parked")
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
                limitFiles(to: 1_000_000)
                try ParkedRecordsFaultTests.park(folder + "/parked")
                #expect(try ParkedRecordsFaultTests.last(folder + "/parked") == 10)
            }
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no right to mount a disk"))
    func aDiskWithoutRoomIsAnError() async {
        await #expect(processExitsWith: .success) {
            try SmallDisk.with(bytes: 4_096) { folder in
                let path = folder + "/parked"
                ParkedRecordsFaultTests.expect("write", "No space left on device", path) {
                    try ParkedRecordsFaultTests.park(path)
                }
                let left = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(left == [])
            }
        }
    }

    @Test func aFolderThatIsMissingOrRemovedIsAnError() throws {
        let outer = NSTemporaryDirectory() + "/millrace-" + UUID().uuidString
        let path = outer + "/parked"
        let reason = "No such file or directory"
        Self.expect("open", reason, path) { try Self.park(path) }
        try FileManager.default.createDirectory(atPath: outer, withIntermediateDirectories: true)
        Self.expect("fsync", reason, path) {
            try Self.park(path) { if $0 == 5 { try FileManager.default.removeItem(atPath: outer) } }
        }
        #expect(!FileManager.default.fileExists(atPath: outer))
    }

    @Test func aFolderThatIsRenamedIsAnError() throws {
        let outer = NSTemporaryDirectory() + "/millrace-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: outer) }
        let (before, after) = (outer + "/before", outer + "/after")
        try FileManager.default.createDirectory(atPath: before, withIntermediateDirectories: true)
        #expect(throws: RecordFileError.self) {
            try Self.park(before + "/parked") { if $0 == 5 { rename(before, after) } }
        }
        #expect(!FileManager.default.fileExists(atPath: before))
        #expect(!FileManager.default.fileExists(atPath: after + "/parked"))
        try Self.park(after + "/parked")
        #expect(try Self.last(after + "/parked") == 10)
    }
}
