// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

/// Readers in other processes, beside the writer.
@Suite struct ReaderTests {
    /// The numbers that a reader finds from where it is.
    private func read(_ reader: JournalReader<PowerCutFolder>) throws -> [UInt64] {
        var found: [UInt64] = []
        while let record = try reader.next() {
            if case .action = record.content { found.append(try numbers.decode(record.bytes, route: 0)) }
        }
        return found
    }

    @Test func aReaderFollowsTheWriterThroughSegmentsAndLives() throws {
        let disk = PowerCutDisk(seed: 1)
        let early = try JournalReader(disk.folder)
        #expect(try read(early).isEmpty)
        var written: [UInt64] = []
        var found: [UInt64] = []
        var reader: JournalReader<PowerCutFolder>?
        for _ in 0..<3 {
            var writer = try open(disk.folder).write()
            for number in 0..<15 as Range<UInt64> {
                _ = try writer.append(number)
                written.append(number)
                try writer.write()
                if reader == nil { reader = try JournalReader(disk.folder) }
                if number % 4 == 0 {
                    found += try read(try #require(reader))
                    #expect(found == written)
                }
            }
            #expect(writer.segments > 1)
            try writer.close()
        }
        found += try read(try #require(reader))
        #expect(found == written)
        #expect(try read(early) == written)
        #expect(try read(try JournalReader(disk.folder, from: 40)) == Array(written[39...]))
    }

    @Test func whatWasReadAndThenLostIsAnError() throws {
        let disk = PowerCutDisk(seed: 1)
        var writer = try open(disk.folder).write()
        _ = try writer.append(1)
        try writer.write()
        try writer.sync()
        let stored = disk.names.mapValues(\.seen)
        _ = try writer.append(2)
        try writer.write()
        let reader = try JournalReader(disk.folder)
        #expect(try read(reader) == [1, 2])
        // The machine of the writer starts again without the last frame; the reader keeps its place.
        for (name, bytes) in stored { disk.names[name]?.seen = bytes }
        disk.names["lock"]?.isLocked = false
        var next = try open(disk.folder).write()
        _ = try next.append(3)
        try next.write()
        #expect { try reader.next() } throws: { if case JournalError.takenOver = $0 { true } else { false } }
        #expect(try read(try JournalReader(disk.folder)) == [1, 3])
    }

    @Test func actionsThatWereRemovedAreAnError() throws {
        let disk = PowerCutDisk(seed: 1)
        var writer = try open(disk.folder).write()
        for number in 0..<20 as Range<UInt64> {
            _ = try writer.append(number)
            try writer.write()
        }
        try writer.close()
        let first = try #require(disk.names.keys.filter { $0.hasPrefix("segment-") }.sorted().first)
        disk.names[first] = nil
        #expect { try JournalReader(disk.folder) } throws: {
            if case JournalError.removed(_, 1, let oldest) = $0 { oldest > 1 } else { false }
        }
    }

    /// A writer that appends nothing leaves an empty segment, which the next writer does not need.
    @Test func aReaderOfASegmentThatIsNotNeededGoesOnInTheNext() throws {
        let disk = PowerCutDisk(seed: 1)
        do { _ = try open(disk.folder).write() }
        let empty = disk.names.keys.filter { $0.hasPrefix("segment-") }
        let reader = try JournalReader(disk.folder)
        #expect(try read(reader).isEmpty)
        #expect(reader.segment.map { [$0.name.text] } == Array(empty))
        var writer = try open(disk.folder).write()
        #expect(try read(reader).isEmpty)
        for number in 5..<8 as Range<UInt64> {
            _ = try writer.append(number)
            try writer.write()
        }
        for name in empty { disk.names[name] = nil }
        #expect(try read(reader) == [5, 6, 7])
    }

    /// What it has read of the segment may not be what the journal has: so it throws.
    @Test func aReaderWhoseSegmentIsGoneSaysSo() throws {
        let disk = PowerCutDisk(seed: 1)
        var writer = try open(disk.folder).write()
        _ = try writer.append(1)
        try writer.write()
        let reader = try JournalReader(disk.folder)
        #expect(try read(reader) == [1])
        let first = try #require(reader.segment).name.text
        for number in 0..<20 as Range<UInt64> {
            _ = try writer.append(number)
            try writer.write()
        }
        #expect(writer.segments > 2)
        disk.names[first] = nil
        #expect { while try reader.next() != nil {} } throws: { error in
            guard case JournalError.takenOver(_, let reason) = error else { return false }
            return reason.contains("'\(first)' is no longer in the journal")
        }
    }

    /// A writer may remove segments after a reader has listed them. The reader lists them again, but not for ever.
    @Test func aSegmentThatIsRemovedMeanwhileIsLookedForAgain() throws {
        let disk = PowerCutDisk(seed: 1)
        var writer = try open(disk.folder).write()
        _ = try writer.append(7)
        try writer.write()
        for (count, isFound) in [(0, true), (3, true), (4, false)] {
            let folder = SharedFolder(base: disk.folder, lock: Locked(0), missing: Shared(count))
            let found = Result { () throws(JournalError) in try JournalReader(folder).next()?.head.sequence }
            switch found {
            case .success(let sequence): #expect(isFound && sequence == 1, "\(count)")
            case .failure(.system(let error)): #expect(!isFound && error.meaning == .missing, "\(count)")
            case .failure(let error): throw error
            }
        }
    }

    @Test func aFolderWithoutAJournalIsVerifiedAsEmpty() throws {
        let found = try JournalVerification(PowerCutDisk(seed: 1).folder)
        #expect(found.segments == 0 && found.lastSequence == 0 && found.bytes == 0 && found.end == nil)
    }

    @Test func verificationReadsAllOfIt() throws {
        let disk = PowerCutDisk(seed: 1)
        var writer = try open(disk.folder).write()
        for number in 0..<20 as Range<UInt64> {
            _ = try writer.append(number)
            try writer.write()
        }
        try writer.sync()
        try SnapshotFolder(disk.folder, journal: writer.journal, epoch: 1)
            .write(Fold(), at: 12, by: folds, syncedThrough: 20)
        try writer.close()
        let found = try JournalVerification(disk.folder)
        #expect(found.firstSequence == 1 && found.lastSequence == 20 && found.snapshots == [12])
        #expect(found.segments == writer.segments)
        // Below the snapshot a recovery reads nothing, a verification does.
        let first = try #require(disk.names.keys.filter { $0.hasPrefix("segment-") }.sorted().first)
        disk.names[first]!.seen[300] ^= 1
        #expect { try JournalVerification(disk.folder) } throws: {
            if case JournalError.corrupt = $0 { true } else { false }
        }
    }

    @Test func aWallClockThatJumpsChangesNoOrder() throws {
        let disk = PowerCutDisk(seed: 1)
        let noon = ActionTime(nanosecondsSince1970: 1_800_000_000_000_000_000)
        // An hour back, a day forward, before 1970, and back to normal.
        let jumps: [Duration] = [.zero, .seconds(-3_600), .seconds(86_400), .seconds(-2_000_000_000), .seconds(1)]
        var times: [ActionTime] = []
        var account = Account()
        for (life, jump) in jumps.enumerated() {
            let opened = try open(disk.folder)
            #expect(account.check(opened.fold) == nil)
            var writer = try opened.write()
            for number in 0..<20 as Range<UInt64> {
                // In the middle of a segment, too.
                times.append(number < 10 ? noon : noon + jump)
                _ = try writer.append(number + UInt64(life), at: times[times.count - 1])
                account.add(number + UInt64(life))
                try writer.write()
            }
            account.acknowledged = try writer.sync()
            try writer.close()
        }
        let reader = try JournalReader(disk.folder)
        var found: [ActionTime] = []
        while let record = try reader.next() {
            if case .action = record.content { found.append(record.head.time) }
        }
        #expect(found == times)
        let verified = try JournalVerification(disk.folder)
        #expect(verified.firstSequence == 1 && verified.lastSequence == UInt64(times.count))
        #expect(account.check(try open(disk.folder).fold) == nil)
    }
}
