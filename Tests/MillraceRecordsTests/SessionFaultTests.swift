// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceRecords
import TestSupport
import Testing

/// Recordings that cannot be written.
@Suite struct SessionFaultTests {
    private struct Note: Codable, Equatable { var text: String }

    private typealias Writer = SessionWriter<CodableCodec<Note>, CodableCodec<Note>>

    private static func head(_ number: Int) -> RecordHead {
        RecordHead(sequence: UInt64(number), time: ActionTime(nanosecondsSince1970: 1), source: .here())
    }

    private static func session(_ text: String) -> RecordedSession<Note, Note> {
        let actions = (1...2_000).map { RecordedAction(head: head($0), kind: "note", action: Note(text: text)) }
        return RecordedSession(initialState: Note(text: ""), actions: actions)
    }

    private static func write(to path: String, _ text: String = String(repeating: "x", count: 100)) throws {
        let codec = try CodableCodec<Note>(version: 1)
        try SessionFile.write(session(text), to: path, actions: codec, states: codec)
    }

    private static func read(_ path: String) throws -> RecordedSession<Note, Note> {
        let codec = try CodableCodec<Note>(version: 1)
        return try SessionFile.read(path, actions: codec, states: codec)
    }

    private static func writer(_ path: String) throws -> Writer {
        let codec = try CodableCodec<Note>(version: 1)
        return try SessionWriter(path: path, initialState: Note(text: ""), actions: codec, states: codec)
    }

    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func aFolderThatHasVanishedIsAnError() throws {
        let path = try withFolder { folder in folder + "/session.mrs" }
        let error = try #require(throws: RecordFileError.self) { try Self.write(to: path) }
        guard case .system(let call, let named, let reason) = error else { throw error }
        #expect(call == "open" && named.hasPrefix(path) && reason == "No such file or directory")
        #expect(error.description.contains("Check that the folder exists"))
    }

    @Test func aFullDiskIsAnErrorAndLeavesTheOldFileOnly() async {
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                let path = folder + "/session.mrs"
                // Within the header, within the initial state, and within the actions.
                for (limit, hasOld) in [(10, false), (400, false), (50_000, false), (50_000, true)] {
                    limitFiles(to: 1_000_000)
                    if hasOld { try SessionFaultTests.write(to: path, "old") }
                    limitFiles(to: limit)
                    let error = #expect(throws: RecordFileError.self) { try SessionFaultTests.write(to: path) }
                    guard case .system("write", let named, "File too large") = error else { throw error! }
                    #expect(named.hasPrefix(path), "limit \(limit)")
                    #expect(try SessionFaultTests.files(folder) == (hasOld ? ["session.mrs"] : []), "limit \(limit)")
                }
                #expect(
                    try SessionFaultTests.read(path).actions.map(\.action.text) == Array(repeating: "old", count: 2_000)
                )
            }
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no right to mount a disk"))
    func aDiskWithoutRoomIsAnErrorAndLeavesTheOldFileOnly() async {
        await #expect(processExitsWith: .success) {
            try SmallDisk.with(bytes: 131_072) { folder in
                let path = folder + "/session.mrs"
                try SessionFaultTests.write(to: path, "old")
                let error = #expect(throws: RecordFileError.self) {
                    try SessionFaultTests.write(to: path, String(repeating: "x", count: 200))
                }
                guard case .system("write", _, "No space left on device") = error else { throw error! }
                #expect(try SessionFaultTests.files(folder) == ["session.mrs"])
                #expect(
                    try SessionFaultTests.read(path).actions.map(\.action.text) == Array(repeating: "old", count: 2_000)
                )
            }
        }
    }

    @Test func aWriterThatFindsTheDiskFullLeavesNoFileWithoutAHeader() async {
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                limitFiles(to: 10)
                for _ in 1...2 {
                    #expect { _ = try SessionFaultTests.writer(folder + "/run.mrs") } throws: { error in
                        guard case RecordFileError.system("write", folder + "/run.mrs", _) = error else { return false }
                        return true
                    }
                    let files = try SessionFaultTests.files(folder)
                    #expect(files == [])
                }
            }
        }
    }

    @Test func aRecordingThatBecomesTooLargeKeepsWhatWasFlushed() async {
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                let path = folder + "/run.mrs"
                var writer = try SessionFaultTests.writer(path)
                try writer.append(Note(text: "one"), SessionFaultTests.head(1))
                try writer.flush(sync: true)
                limitFiles(to: 2_000)
                try writer.append(Note(text: String(repeating: "x", count: 5_000)), SessionFaultTests.head(2))
                let first = Result { () throws(RecordFileError) in try writer.flush(sync: true) }
                guard case .failure(.system("write", path, "File too large")) = first else { throw POSIXError(.EIO) }
                // The first failure is final, although there is room again.
                limitFiles(to: 1_000_000)
                let later = Result { () throws(RecordFileError) in try writer.flush(sync: true) }
                #expect(later.failure == first.failure)
                let left = try SessionFaultTests.read(path)
                #expect(left.actions.map(\.action.text) == ["one"] && !left.isComplete)
            }
        }
    }

    /// The system says that a removed file was synced. A writer must not believe it.
    @Test func aRecordingThatIsRemovedIsNotSynced() throws {
        let outer = NSTemporaryDirectory() + "/millrace-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: outer, withIntermediateDirectories: true)
        let path = outer + "/run.mrs"
        var writer = try Self.writer(path)
        try writer.append(Note(text: "one"), Self.head(1))
        try writer.flush(sync: true)
        try FileManager.default.removeItem(atPath: outer)
        try writer.append(Note(text: "two"), Self.head(2))
        let first = Result { () throws(RecordFileError) in try writer.flush(sync: true) }
        #expect(first.failure == .system(call: "fsync", path: path, reason: "No such file or directory"))
        let last = Result { () throws(RecordFileError) in try writer.finish(finalHash: CanonicalHash(rawValue: 1)) }
        #expect(last.failure == first.failure)
    }

    @Test func aRecordingWhoseFolderIsRenamedGoesOnThere() throws {
        try withFolder { folder in
            let (before, after) = (folder + "/before", folder + "/after")
            try FileManager.default.createDirectory(atPath: before, withIntermediateDirectories: false)
            var writer = try Self.writer(before + "/run.mrs")
            try writer.append(Note(text: "one"), Self.head(1))
            try FileManager.default.moveItem(atPath: before, toPath: after)
            try writer.append(Note(text: "two"), Self.head(2))
            try writer.finish(finalHash: CanonicalHash(rawValue: 1))
            let read = try Self.read(after + "/run.mrs")
            #expect(read.isComplete && read.actions.map(\.action.text) == ["one", "two"])
        }
    }

    /// Does something to the folder while the hundredth action is encoded.
    private struct Interfering: ActionCodec {
        let interfere: @Sendable () -> Void
        let schema = RecordSchema(
            type: RecordType(name: "Count", version: 1, encoding: RecordEncoding(rawValue: 300)),
            kinds: ["Count"]
        )

        func kind(of action: UInt64) -> Int { 0 }

        func encode(_ action: UInt64, into output: inout RecordBuffer) throws(CodecError) {
            if action == 100 { interfere() }
            output.append(action)
        }

        func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> UInt64 {
            bytes.loadUnaligned(as: UInt64.self)
        }
    }

    @Test(arguments: [false, true]) func aFolderThatVanishesDuringTheWriteIsAnError(isRenamed: Bool) throws {
        try withFolder { folder in
            let (before, after) = (folder + "/before", folder + "/after")
            try FileManager.default.createDirectory(atPath: before, withIntermediateDirectories: false)
            let codec = Interfering {
                if isRenamed { rename(before, after) } else { try? FileManager.default.removeItem(atPath: before) }
            }
            let actions = (1...200).map { RecordedAction(head: Self.head($0), kind: "Count", action: UInt64($0)) }
            let session = RecordedSession(initialState: Note(text: ""), actions: actions)
            let states = try CodableCodec<Note>(version: 1)
            let error = try #require(throws: RecordFileError.self) {
                try SessionFile.write(session, to: before + "/run.mrs", actions: codec, states: states)
            }
            guard case .system(isRenamed ? "rename" : "fsync", let named, let reason) = error else { throw error }
            #expect(named.hasPrefix(before + "/run.mrs") && reason == "No such file or directory")
            #expect(try Self.files(folder) == (isRenamed ? ["after"] : []))
            if isRenamed { #expect(try Self.files(after) == [], "no temporary file is left") }
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
