// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Millrace
import MillraceRecords
import TestSupport
import Testing

@testable import MillraceJournal

/// Journals on a real disk that is full, or whose folder goes. In `FaultTests` a simulated disk fails at each call.
@Suite("Journals whose folder or disk fails")
struct DiskFaultTests {
    private static func options(segmentBytes: Int = 6_000, preparesAhead: Bool = false) -> JournalOptions {
        var options = smallFiles
        options.requiresDisk = false
        options.segmentBytes = segmentBytes
        options.preparesAhead = preparesAhead
        return options
    }

    private static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private static func isFull(_ error: any Error, in folder: String) -> Bool {
        guard case JournalError.full(let cause) = error else { return false }
        return cause.path.hasPrefix(folder) && cause.reason == "No space left on device"
            && JournalError.full(cause).description.contains("Make room on the disk")
    }

    @Test("a full disk and a used-up quota are waited for; that a file may not grow is final")
    func meanings() {
        let codes: [Int32: FileError.Meaning] = [
            ENOSPC: .full, EDQUOT: .full, EFBIG: .other, EIO: .other, EROFS: .other, ENOENT: .missing,
            EEXIST: .exists,
        ]
        for (code, meaning) in codes {
            let error = FileError(code: code, call: "write", path: "a")
            #expect(error.meaning == meaning, "\(error.reason)")
        }
    }

    /// Writes until three errors have come, then makes room.
    private static func writeOnAFullDisk(_ disk: String, preparesAhead: Bool) throws {
        let path = disk + "/orders"
        let options = Self.options(preparesAhead: preparesAhead)
        var account = Account()
        var writer = try open(DiskFolder(path: path, create: true), options).write()
        let filler = SmallDisk.fill(disk)
        var errors = 0
        for number in 1...400 as ClosedRange<UInt64> where errors < 3 {
            if errors == 0 {
                _ = try writer.append(number)
                account.add(number)
            }
            do {
                try writer.write()
                account.acknowledged = try writer.sync()
            } catch {
                #expect(isFull(error, in: path), "\(error)")
                errors += 1
            }
        }
        #expect(errors == 3 && writer.failure == nil)
        #expect(writer.syncedThrough == account.acknowledged)
        #expect(Int(account.acknowledged) < account.folds.count - 1, "something waits")
        let folder = try DiskFolder(path: path, create: false)
        let snapshots = SnapshotFolder(folder, journal: writer.journal, epoch: writer.epoch)
        let last = account.acknowledged
        #expect {
            try snapshots.write(account.folds[Int(last)], at: last, by: folds, syncedThrough: last)
        } throws: {
            isFull($0, in: path)
        }
        #expect(try !names(path).contains { $0.hasPrefix("snapshot-") })
        try FileManager.default.removeItem(atPath: filler)
        account.acknowledged = try writer.sync()
        #expect(Int(account.acknowledged) == account.folds.count - 1)
        try snapshots.write(account.folds[Int(last)], at: last, by: folds, syncedThrough: last)
        try writer.close()
        #expect(try account.check(open(folder, options).fold) == nil)
        #expect(try !names(path).contains { $0.hasSuffix(".tmp") })
    }

    @Test(
        "a disk that is full while a journal is written: an error until there is room, and nothing is lost",
        .enabled(if: SmallDisk.isPossible, "no right to mount a disk")
    )
    func full() async {
        await #expect(processExitsWith: .success) {
            try SmallDisk.with { try Self.writeOnAFullDisk($0, preparesAhead: false) }
            try SmallDisk.with { try Self.writeOnAFullDisk($0, preparesAhead: true) }
        }
    }

    private static func openOnAFullDisk(_ disk: String, isNew: Bool, needsZeros: Bool = true) throws {
        var options = Self.options()
        options.needsZeros = needsZeros
        let path = disk + "/orders"
        if !isNew {
            var writer = try open(DiskFolder(path: path, create: true), options).write()
            _ = try writer.append(5)
            try writer.close()
        }
        let before = isNew ? ["lock"] : try names(path)
        let filler = SmallDisk.fill(disk)
        for _ in 1...2 {
            #expect {
                _ = try open(DiskFolder(path: path, create: true), options).write()
            } throws: {
                isFull($0, in: path)
            }
            #expect(try names(path) == before)
        }
        try FileManager.default.removeItem(atPath: filler)
        let opened = try open(DiskFolder(path: path, create: false), options)
        #expect(opened.fold.count == (isNew ? 0 : 1))
        var writer = try opened.write()
        _ = try writer.append(6)
        try writer.close()
    }

    @Test(
        "a disk that is full when a journal is opened: an error, nothing is changed, and the next opening succeeds",
        .enabled(if: SmallDisk.isPossible, "no right to mount a disk")
    )
    func fullAtOpening() async {
        await #expect(processExitsWith: .success) {
            try SmallDisk.with { try Self.openOnAFullDisk($0, isNew: true) }
            try SmallDisk.with { try Self.openOnAFullDisk($0, isNew: false) }
            // The file is made, and its first bytes find no room.
            try SmallDisk.with { try Self.openOnAFullDisk($0, isNew: false, needsZeros: false) }
        }
    }

    @Test("files that may not grow: the failure is final, names the segment, and what was acknowledged is recovered")
    func limited() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let path = folder.path + "/orders"
            var account = Account()
            var writer = try open(DiskFolder(path: path, create: true), Self.options(segmentBytes: 1 << 20)).write()
            limitFiles(to: 4_000)
            var failure: (any Error)?
            for number in 1...400 as ClosedRange<UInt64> where failure == nil {
                _ = try writer.append(number)
                account.add(number)
                do {
                    try writer.write()
                    account.acknowledged = try writer.sync()
                } catch {
                    failure = error
                }
            }
            guard case JournalError.system(let cause) = try #require(failure) else { throw failure! }
            #expect(cause.call == "write" && cause.reason == "File too large")
            #expect(FileManager.default.fileExists(atPath: cause.path), "\(cause.path)")
            limitFiles(to: 1_000_000)
            #expect(throws: JournalError.system(cause)) { try writer.sync() }
            #expect(account.acknowledged > 1)
            writer.giveUp()
            let found = try open(DiskFolder(path: path, create: false), Self.options()).fold
            #expect(account.check(found) == nil)
        }
    }

    @Test("a folder that is removed while its journal is open: nothing more is acknowledged", arguments: [false, true])
    func removed(preparesAhead: Bool) throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/orders"
        var writer = try open(
            DiskFolder(path: path, create: true),
            Self.options(segmentBytes: 1 << 20, preparesAhead: preparesAhead)
        ).write()
        _ = try writer.append(1)
        try writer.write()
        #expect(try writer.sync() == 1)
        try FileManager.default.removeItem(atPath: path)
        _ = try writer.append(2)
        try writer.write()
        let reason = "the file 'lock' was replaced or removed"
        let failure = JournalError.takenOver(path: path, reason: reason)
        func expectFailure<Result>(_ result: Swift.Result<Result, any Error>) {
            #expect { try result.get() } throws: { $0 as? JournalError == failure }
        }
        expectFailure(Result { try writer.sync() })
        expectFailure(Result { try writer.write() })
        expectFailure(Result { try writer.close() })
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a folder that is removed when the next segment begins: the error is final")
    func removedBeforeTheNextSegment() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/orders"
        var writer = try open(DiskFolder(path: path, create: true), Self.options()).write()
        try FileManager.default.removeItem(atPath: path)
        var failure: (any Error)?
        for number in 1...400 as ClosedRange<UInt64> where failure == nil {
            _ = try writer.append(number)
            do { try writer.write() } catch { failure = error }
        }
        guard case JournalError.system(let cause) = try #require(failure) else { throw failure! }
        #expect(cause.path.hasPrefix(path) && cause.meaning == .missing && cause.call == "open")
        #expect(writer.failure == .system(cause) && writer.syncedThrough == writer.writtenThrough)
    }

    @Test("a folder that is removed while its journal is opened, and one whose parent is missing")
    func removedWhileOpening() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/orders"
        let descriptor = try DiskFolder(path: path, create: true)
        try FileManager.default.removeItem(atPath: path)
        #expect {
            _ = try open(descriptor, Self.options())
        } throws: {
            guard case JournalError.system(let cause) = $0 else { return false }
            return cause.path.hasPrefix(path) && cause.meaning == .missing
        }
        let opened = try open(DiskFolder(path: path, create: true), Self.options())
        try FileManager.default.removeItem(atPath: path)
        do {
            _ = try opened.write()
            Issue.record("it was opened in a folder that is gone")
        } catch JournalError.system(let cause) {
            #expect(cause.path.hasPrefix(path) && cause.meaning == .missing)
        }
        #expect(throws: FileError.self) { try DiskFolder(path: path + "/below/that", create: true) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a folder that is renamed takes the open journal with it, and nothing is lost")
    func renamed() throws {
        let folder = TemporaryFolder()
        let (path, moved) = (folder.path + "/orders", folder.path + "/moved")
        var account = Account()
        var writer = try open(DiskFolder(path: path, create: true), Self.options()).write()
        for number in 1...100 as ClosedRange<UInt64> {
            if number == 50 { try FileManager.default.moveItem(atPath: path, toPath: moved) }
            _ = try writer.append(number)
            account.add(number)
            try writer.write()
            account.acknowledged = try writer.sync()
        }
        #expect(writer.segments > 2)
        try writer.close()
        let found = try open(DiskFolder(path: moved, create: false), Self.options()).fold
        #expect(found.count == 100 && account.check(found) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a store whose folder is removed acknowledges nothing more", arguments: [Durability.process, .every])
    func removedUnderAStore(durability: Durability) async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/deeds"
        let journal = try folder.journal(durability)
        journal.reportFailure { _ in }
        let store = try await ReduxStoreBase(recovering: journal, initialState: Sums(), reducer: summing)
        _ = try await store.commit(.add(1), producer: "a", number: 1)
        try FileManager.default.removeItem(atPath: path)
        let reason = "the file 'lock' was replaced or removed"
        await #expect(throws: CommitError.journal(.takenOver(path: path, reason: reason))) {
            try await store.commit(.add(2), producer: "a", number: 2)
        }
        #expect(journal.metrics.failure != nil)
        _ = await store.shutdown()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(
        "a store whose folder is removed makes no more snapshots, and the error is final",
        arguments: [SnapshotKind.copy, .shadow]
    )
    func noMoreSnapshots(kind: SnapshotKind) async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/deeds"
        let journal = try folder.journal(.process)
        journal.reportFailure { _ in }
        let store = try await ReduxStoreBase(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            snapshots: .every(actions: 4, kind: kind, by: try .codable(version: 1))
        )
        for number in 1...5 { store.dispatch(.add(number)) }
        #expect(await eventually { journal.metrics.newestSnapshot >= 4 })
        let snapshots = journal.metrics.snapshots
        try FileManager.default.removeItem(atPath: path)
        for number in 6...10 { store.dispatch(.add(number)) }
        #expect(await eventually { journal.metrics.failure != nil || journal.metrics.failedSnapshots > 0 })
        _ = await store.shutdown()
        #expect(journal.metrics.snapshots == snapshots)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
