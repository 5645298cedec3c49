// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

@testable import MillraceJournal

/// The manifest of a sharded journal, and its mark, on a disk that is full or fails, and in a folder that goes.
@Suite("Manifests of sharded journals whose folder or disk fails")
struct ShardManifestFaultTests {
    private static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test(
        "each call in turn fails, or finds the disk full: no temporary file is left, and the next try succeeds",
        arguments: [
            PowerCutDisk.Fault.full, .failure,
        ]
    )
    func eachCall(fault: PowerCutDisk.Fault) throws {
        var call = 1
        while true {
            let disk = PowerCutDisk(seed: UInt64(call))
            disk.fault = (call, fault, lasts: false)
            let result = Result { try ShardManifest(shards: 3).check(disk.folder) }
            if disk.calls < call {
                try result.get()
                return #expect(call > 4, "a file is made, written, synced and renamed")
            }
            #expect {
                try result.get()
            } throws: {
                switch $0 as? JournalError {
                case .full: fault == .full
                case .system: fault == .failure
                default: false
                }
            }
            #expect(try !disk.folder.names().contains("manifest.tmp"), "call \(call)")
            try ShardManifest(shards: 3).check(disk.folder)
            #expect(throws: JournalError.self) { try ShardManifest(shards: 4).check(disk.folder) }
            call += 1
        }
    }

    @Test("files that may not grow: an error with the path, nothing is left, and the next opening succeeds")
    func limited() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let path = folder.path + "/deeds"
            let temporary = path + "/manifest.tmp"
            limitFiles(to: 10)
            let cause = FileError(call: "write", path: temporary, reason: "File too large", meaning: .other)
            #expect(throws: JournalError.system(cause)) { try ShardedJournal<Deed>.prepare(path, 3) }
            #expect(try Self.names(path) == [])
            limitFiles(to: 1_000)
            try ShardedJournal<Deed>.prepare(path, 3)
            #expect(try Self.names(path) == ["manifest"])
        }
    }

    @Test(
        "a disk without room for the mark: an error that is not final, and nothing is left",
        .enabled(if: SmallDisk.isPossible, "no right to mount a disk")
    )
    func full() async {
        await #expect(processExitsWith: .success) {
            // One for the folder, one for the manifest.
            try SmallDisk.with(files: 2) { disk in
                let path = disk + "/deeds"
                try ShardedJournal<Deed>.prepare(path, 3)
                let cause = FileError(
                    call: "open",
                    path: path + "/opened",
                    reason: "No space left on device",
                    meaning: .full
                )
                #expect(throws: JournalError.full(cause)) { try ShardManifest.markOpened(path) }
                #expect(try Self.names(path) == ["manifest"])
            }
        }
    }

    @Test("a folder that is missing, or removed before the mark")
    func removed() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/deeds"
        func cause(_ path: String) -> FileError {
            FileError(call: "open", path: path, reason: "No such file or directory", meaning: .missing)
        }
        #expect(throws: JournalError.system(cause(path + "/below"))) {
            try ShardedJournal<Deed>.prepare(path + "/below", 3)
        }
        let open = try DiskFolder(path: path, create: true)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: JournalError.system(cause(path + "/manifest.tmp"))) {
            try ShardManifest(shards: 3).check(open)
        }
        #expect(throws: JournalError.system(cause(path))) { try ShardManifest.markOpened(path) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a folder that is renamed after it was opened takes the manifest with it")
    func renamed() throws {
        let folder = TemporaryFolder()
        let (before, after) = (folder.path + "/before", folder.path + "/after")
        let open = try DiskFolder(path: before, create: true)
        #expect(rename(before, after) == 0)
        try ShardManifest(shards: 3).check(open)
        #expect(!FileManager.default.fileExists(atPath: before))
        #expect(try FileManager.default.contentsOfDirectory(atPath: after) == ["manifest"])
        #expect(throws: JournalError.self) { try ShardedJournal<Deed>.prepare(after, 4) }
        try ShardedJournal<Deed>.prepare(after, 3)
    }
}
