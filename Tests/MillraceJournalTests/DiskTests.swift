// SPDX-License-Identifier: Apache-2.0

import CMillraceStress
import Foundation
import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import Testing

/// The same on a real disk.
@Suite struct DiskTests {
    /// Calls `body` with the path of a folder that does not exist yet, and is removed afterwards.
    private func withPath<Result>(_ body: (String) throws -> Result) throws -> Result {
        let outer = FileManager.default.temporaryDirectory.appendingPathComponent("millrace-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: outer, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: outer) }
        return try body("\(outer)/orders.journal")
    }

    private var anywhere: JournalOptions {
        var options = smallFiles
        options.requiresDisk = false
        return options
    }

    private func rights(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test(arguments: [false, true]) func aJournalComesBack(preparesAhead: Bool) throws {
        try withPath { path in
            var options = anywhere
            options.preparesAhead = preparesAhead
            var account = Account()
            for life in 0..<3 as Range<UInt64> {
                let opened = try open(DiskFolder(path: path, create: true), options)
                #expect(account.check(opened.fold) == nil)
                var writer = try opened.write()
                for number in 0..<40 as Range<UInt64> {
                    _ = try writer.append(number + life)
                    account.add(number + life)
                    try writer.write()
                    if number % 8 == 0 { account.acknowledged = try writer.sync() }
                }
                #expect(writer.segments > 2)
                if life == 1 { try writer.close() }
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                #expect(try rights("\(path)/\(name)") == 0o600)
                #expect(!name.hasSuffix(".tmp"))
            }
            #expect(try rights(path) == 0o700)
            let found = try JournalVerification(DiskFolder(path: path, create: false))
            #expect(found.lastSequence == 120)
        }
    }

    @Test func filesAreWrittenAheadAndRemovedAgain() throws {
        try withPath { path in
            var options = anywhere
            options.preparesAhead = true
            var writer = try open(DiskFolder(path: path, create: true), options).write()
            func stock() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".tmp") }
            }
            let deadline = ContinuousClock.now + .seconds(60)
            while try stock().count < 2, ContinuousClock.now < deadline { usleep(1000) }
            #expect(try stock().count == 2)
            _ = try writer.append(1)
            try writer.close()
            #expect(try stock().isEmpty)
            // What was written ahead and not used is given back.
            let name = try FileManager.default.contentsOfDirectory(atPath: path).first { $0.hasSuffix(".mrj") }
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(try #require(name))")
            #expect(try #require(attributes[.size] as? Int) < options.segmentBytes)
        }
    }

    @Test func aLinkIsNotFollowed() throws {
        try withPath { path in
            _ = try open(DiskFolder(path: path, create: true), anywhere).write()
            let link = "\(path).link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            #expect(throws: FileError.self) { try DiskFolder(path: link, create: false) }
            let lock = "\(path)/lock"
            try FileManager.default.moveItem(atPath: lock, toPath: "\(path).lock")
            try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: "\(path).lock")
            #expect { _ = try open(DiskFolder(path: path, create: false), anywhere) } throws: {
                if case JournalError.system = $0 { true } else { false }
            }
        }
    }

    @Test func aSecondWriterIsRefused() throws {
        try withPath { path in
            let writer = try open(DiskFolder(path: path, create: true), anywhere).write()
            #expect(throws: JournalError.locked(path: path, process: getpid())) {
                _ = try open(DiskFolder(path: path, create: false), anywhere)
            }
            _ = writer.epoch
        }
    }

    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"))) func memoryIsNoDisk() throws {
        let path = "/dev/shm/millrace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try DiskFolder(path: path, create: true)
        #expect { _ = try open(folder) } throws: {
            if case JournalError.notOnDisk(path, "tmpfs") = $0 { true } else { false }
        }
        // The level `.process` promises nothing that needs a disk.
        _ = try open(folder, anywhere).write()
    }

    @Test func errorsSayWhatHappened() throws {
        #expect { try DiskFolder(path: "/nowhere/at/all", create: true) } throws: { error in
            guard let error = error as? FileError else { return false }
            return JournalError.system(error).description.contains("No such file")
        }
        let texts = [
            JournalError.locked(path: "a"), .locked(path: "a", process: 7), .takenOver(path: "a", reason: "b"),
            .notOnDisk(path: "a", fileSystem: "b"),
            .corrupt(at: CorruptPlace(path: "a", offset: 1, firstLost: 2, lastLost: 3, reason: "b")),
            .removed(path: "a", asked: 1, oldest: 2), .outOfOrder(expected: 1, found: 2),
            .notSynced(sequence: 2, syncedThrough: 1), .closed(path: "a"), .inUse(path: "a"),
        ].map(\.description)
        #expect(texts.allSatisfy { $0.hasSuffix(".") && !$0.contains("Optional") })
    }

    @Test(arguments: ["", "a\0b"]) func whatIsNoPathIsRefused(path: String) {
        let expected = FileError(call: "open", path: path, reason: "That is not a path", meaning: .other)
        #expect(throws: expected) { try DiskFolder(path: path, create: true) }
    }

    @Test func aFolderIsNoFileAndANameIsNotTakenTwice() throws {
        try withPath { path in
            let folder = try DiskFolder(path: path, create: true)
            try FileManager.default.createDirectory(atPath: "\(path)/inner", withIntermediateDirectories: false)
            for _ in 0..<50 {
                #expect { _ = try folder.open("inner", forWriting: false) } throws: { error in
                    (error as? FileError)?.path == "\(path)/inner"
                }
            }
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { descriptor in
                // Other tests open and close files meanwhile.
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
                return target?.hasSuffix("\(path)/inner") == true
            }
            #expect(open == [])

            for name in ["a", "b"] { _ = try folder.create(name) }
            #expect { try folder.rename("a", to: "b") } throws: { ($0 as? FileError)?.meaning == .exists }
            #expect(Set(try folder.names()).isSuperset(of: ["a", "b"]))
        }
    }

    /// docs/journal-format.md and scripts/read-journal.py are the same as what this library writes.
    @Test func anotherProgramReadsIt() throws {
        try withPath { path in
            var writer = try open(DiskFolder(path: path, create: true), anywhere).write()
            for number in 1...30 as ClosedRange<UInt64> {
                _ = try writer.append(number)
                if number == 9 { writer.frame.append(.effectEnd(sequence: 3, index: 1, reason: 2)) }
                try writer.write()
                try writer.sync()
            }
            try SnapshotFolder(DiskFolder(path: path, create: false), journal: writer.journal, epoch: writer.epoch)
                .write(
                    Fold(),
                    at: 12,
                    by: folds,
                    records: [.mark(producer: "é", number: 7)],
                    syncedThrough: 30
                )
            let open = try lines(path)
            #expect(open.filter { $0["sequence"] != nil }.compactMap { $0["sequence"] as? Int } == Array(1...30))
            #expect(open.last?["end"] as? String == "open" && open.last?["lastSequence"] as? Int == 30)
            let marks = open.filter { $0["kind"] as? String == "mark" }
            #expect(marks.compactMap { $0["number"] as? Int } == Array(1...30))
            #expect(marks.allSatisfy { $0["producer"] as? String == "p" }, "\(marks)")
            let ends = open.filter { $0["kind"] as? String == "effectEnd" }
            #expect(ends.count == 1 && ends[0]["of"] as? Int == 3 && ends[0]["index"] as? Int == 1)

            let snapshot = try lines("\(path)/snapshot-00000000000000000012.mrs")
            #expect(snapshot.contains { $0["kind"] as? String == "Fold" })
            #expect(snapshot.contains { $0["producer"] as? String == "é" && $0["number"] as? Int == 7 })
            #expect(snapshot.last?["end"] as? String == "ended")

            try writer.close()
            #expect(try lines(path).last?["end"] as? String == "ended")
            let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("segment-") }
            let first = "\(path)/\(try #require(names.sorted().first))"
            var bytes = try Data(contentsOf: URL(fileURLWithPath: first))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(fileURLWithPath: first))
            #expect(try lines(path).last?["end"] as? String == "damaged")
        }
    }

    /// What the script prints of a file or of a folder.
    private func lines(_ path: String) throws -> [[String: Any]] {
        let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", root.appendingPathComponent("scripts/read-journal.py").path, path]
        process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONIOENCODING": "utf-8"]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try output.split(separator: 10).map {
            try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
        }
    }

    /// The system reports a failed write of names to one sync of a descriptor only. So that one counts for all threads.
    @Test func afterAFailedSyncOfTheFolderEachLaterOneFails() throws {
        let disk = PowerCutDisk(seed: 1)
        let folder = disk.folder
        disk.fault = (disk.calls + 1, .full, lasts: false)
        #expect(throws: FileError.self) { try folder.syncNames() }
        // A full disk may get room.
        try folder.syncNames()
        disk.fault = (disk.calls + 1, .failure, lasts: false)
        #expect(throws: FileError.self) { try folder.syncNames() }
        #expect(throws: FileError.self) { try folder.syncNames() }
        // Another program opens the folder anew, and reads what is there.
        try disk.folder.syncNames()
    }

    #if DEBUG
        @Test func aListWithoutMemoryIsAnErrorAndLeavesNothingOpen() throws {
            try withPath { path in
                let folder = try DiskFolder(path: path, create: true)
                // More than fits into the first memory.
                let names = (0..<40).map { "\($0)-" + String(repeating: "n", count: 200) }
                for name in names { _ = try folder.create(name) }
                var site: UInt64 = 1
                while true {
                    millrace_fault_plan(site, 1)
                    defer { millrace_fault_plan(0, 0) }
                    let found = Result { () throws(FileError) in try folder.names() }
                    if millrace_fault_sites() < site {
                        #expect(Set(try found.get()).isSuperset(of: names))
                        break
                    }
                    #expect { try found.get() } throws: { error in
                        let error = error as? FileError
                        return error?.call == "readdir" && error?.path == path && error?.meaning == .other
                            && error?.reason == String(cString: strerror(ENOMEM))
                    }
                    // The folder itself, and nothing that listed it.
                    #expect(descriptors(of: path) == 1)
                    site += 1
                }
                #expect(site == 4, "the system's list, the memory for names, and more of it")
            }
        }

        @Test func theNameOfANewFolderIsSynced() throws {
            try withPath { path in
                for exists in [false, true] {
                    if exists { _ = try DiskFolder(path: path, create: true) }
                    // The only call of this thread that can be let fail is the sync of the folder around it.
                    millrace_fault_plan(1, 1)
                    defer { millrace_fault_plan(0, 0) }
                    let opened = Result { () throws(FileError) in try DiskFolder(path: path, create: true) }
                    #expect(millrace_fault_sites() == (exists ? 0 : 1))
                    if exists {
                        _ = try opened.get()
                    } else {
                        #expect(throws: FileError.self) { try opened.get() }
                        // Otherwise the next try would find an old folder, and not sync its name.
                        #expect(!FileManager.default.fileExists(atPath: path))
                    }
                }
            }
        }

        /// How often this process has a file open.
        private func descriptors(of path: String) -> Int {
            let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return numbers.count {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == real
            }
        }
    #endif
}
