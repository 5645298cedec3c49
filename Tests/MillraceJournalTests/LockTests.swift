// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import Testing

/// One writer: and what another wrote after it had lost the journal is none of it.
@Suite struct LockTests {
    @Test func aSecondWriterIsRefused() throws {
        let disk = PowerCutDisk(seed: 1)
        let writer = try open(disk.folder).write()
        #expect(throws: JournalError.locked(path: "journal")) { _ = try open(disk.folder) }
        _ = writer.epoch
    }

    @Test func theLockEndsWithTheWriterAndTheEpochRises() throws {
        let disk = PowerCutDisk(seed: 1)
        var epochs: [UInt64] = []
        for _ in 0..<3 {
            let writer = try open(disk.folder).write()
            epochs.append(writer.epoch)
        }
        #expect(epochs == [1, 2, 3])
    }

    /// Without the lock file the epoch still rises above that of each segment.
    @Test func theEpochRisesWithoutALockFile() throws {
        let disk = PowerCutDisk(seed: 1)
        for epoch in 1...3 as ClosedRange<UInt64> {
            let writer = try open(disk.folder).write()
            #expect(writer.epoch == epoch)
            disk.names["lock"] = nil
        }
    }

    /// How a second writer can come about: the lock file is replaced, or the file system does not keep its locks.
    enum Loss: CaseIterable { case replaced, notKept }

    @Test(arguments: Loss.allCases) func whoLostTheJournalAcknowledgesNothing(loss: Loss) throws {
        let disk = PowerCutDisk(seed: 1)
        var old = try open(disk.folder).write()
        _ = try old.append(1)
        try old.write()
        #expect(try old.sync() == 1)
        switch loss {
        case .replaced: disk.names["lock"] = nil
        case .notKept: disk.names["lock"]?.isLocked = false
        }
        var new = try open(disk.folder).write()
        #expect(new.epoch == 2 && new.syncedThrough == 1)

        // The old one goes on for a while, even to segments of its own.
        for number in 2...9 as ClosedRange<UInt64> {
            _ = try old.append(number * 12)
            try old.write()
        }
        #expect(old.segments > 1)
        #expect { try old.sync() } throws: { if case JournalError.takenOver = $0 { true } else { false } }
        #expect(throws: JournalError.self) { try old.write() }

        _ = try new.append(7)
        try new.write()
        try new.confirm()
        #expect(try new.sync() == 2)
        let expected = fold([1, 7])
        disk.kill()
        let opened = try open(disk.folder)
        #expect(opened.fold == expected)
        #expect(!opened.report.ignored.isEmpty)
    }

    /// A sequence that is left out or repeated would be damage for each reader.
    @Test func onlyTheNextActionIsWritten() throws {
        let disk = PowerCutDisk(seed: 1)
        var writer = try open(disk.folder).write()
        _ = try writer.append(1)
        try writer.write()
        try writer.frame.append(2, RecordHead(sequence: 3, time: .now), by: numbers)
        #expect(throws: JournalError.outOfOrder(expected: 2, found: 3)) { try writer.write() }
        #expect(throws: JournalError.outOfOrder(expected: 2, found: 3)) { try writer.sync() }
    }

    /// The level `.process` acknowledges what was only written: it looks, too.
    @Test func aConfirmationLooksAtTheLock() throws {
        let disk = PowerCutDisk(seed: 1)
        var old = try open(disk.folder).write()
        try old.confirm()
        disk.names["lock"] = nil
        #expect { try old.confirm() } throws: { if case JournalError.takenOver = $0 { true } else { false } }
        #expect(old.failure != nil)
    }

    private func fold(_ values: [UInt64]) -> Fold {
        var fold = Fold()
        for value in values { fold.add(value) }
        return fold
    }
}
