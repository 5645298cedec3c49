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
            // A recovery that was killed has left it.
            try Data("half".utf8).write(to: URL(fileURLWithPath: path + ".partial"))
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
                let file = path + ".partial"
                #expect(throws: RecordFileError.system(call: "write", path: file, reason: "File too large")) {
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
                let reason = "File too large"
                let file = folder + "/parked.partial"
                #expect(throws: RecordFileError.system(call: "write", path: file, reason: reason)) {
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
                let (file, reason) = (path + ".partial", "No space left on device")
                #expect(throws: RecordFileError.system(call: "write", path: file, reason: reason)) {
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
        let file = path + ".partial"
        #expect(throws: RecordFileError.system(call: "open", path: file, reason: reason)) { try Self.park(path) }
        try FileManager.default.createDirectory(atPath: outer, withIntermediateDirectories: true)
        #expect(throws: RecordFileError.system(call: "fsync", path: file, reason: reason)) {
            try Self.park(path) { if $0 == 5 { try FileManager.default.removeItem(atPath: outer) } }
        }
        #expect(!FileManager.default.fileExists(atPath: outer))
    }
}
