// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import Testing

/// J8.
@Suite struct SnapshotTests {
    private func snapshots(_ disk: PowerCutDisk) -> [String] {
        disk.names.keys.filter { $0.hasPrefix("snapshot-") }.sorted()
    }

    private func segments(_ disk: PowerCutDisk) -> [String] {
        disk.names.keys.filter { $0.hasPrefix("segment-") }.sorted()
    }

    /// A journal of 30 numbers with snapshots at some of them.
    private func journal(_ disk: PowerCutDisk, at sequences: [UInt64]) throws -> Account {
        var account = Account()
        var writer = try open(disk.folder).write()
        let folder = SnapshotFolder(disk.folder, journal: writer.journal, epoch: writer.epoch)
        for number in 1...30 as ClosedRange<UInt64> {
            _ = try writer.append(number)
            account.add(number)
            try writer.write()
            account.acknowledged = try writer.sync()
            if sequences.contains(number) {
                try folder.write(
                    account.folds[Int(number)],
                    at: number,
                    by: folds,
                    records: [.mark(producer: "p", number: number)],
                    syncedThrough: number
                )
            }
        }
        return account
    }

    private func folder(_ disk: PowerCutDisk) throws -> SnapshotFolder<PowerCutFolder> {
        let name = try #require(JournalReader(disk.folder).segment)
        return SnapshotFolder(disk.folder, journal: name.header.journal, epoch: 1)
    }

    @Test func recoveryBeginsAtTheNewest() throws {
        let disk = PowerCutDisk(seed: 1)
        let account = try journal(disk, at: [10, 20])
        let opened = try open(disk.folder)
        #expect(opened.fold == account.folds[30])
        #expect(opened.report.snapshot == 20 && opened.report.actions == 10)
    }

    /// The state begins with an older snapshot, or with none, but the newest one shows what was on the disk.
    @Test(arguments: [0, 10] as [UInt64]) func theNewestShowsWhatWasOnTheDisk(atMost: UInt64) throws {
        let disk = PowerCutDisk(seed: 1)
        _ = try journal(disk, at: [10, 25])
        for name in segments(disk) where try #require(SegmentName(name)).firstSequence > 20 { disk.names[name] = nil }
        let before = disk.names
        #expect {
            var recovery = try JournalRecovery(disk.folder, snapshotAtMost: atMost, options: smallFiles)
            while try recovery.next() != nil {}
        } throws: { error in
            guard case JournalError.corrupt(let place) = error else { return false }
            return place.lastLost == 25 && place.firstLost > 10
        }
        #expect(Set(disk.names.keys) == Set(before.keys), "nothing is cut off or begun")
        for name in segments(disk) { disk.names[name] = nil }
        #expect {
            _ = try JournalRecovery(disk.folder, snapshotAtMost: atMost, options: smallFiles)
        } throws: { error in
            guard case JournalError.corrupt(let place) = error else { return false }
            return place.reason.hasSuffix("but no segment")
        }
    }

    @Test func aReaderWhoseNextSegmentWasRemovedIsToldSo() throws {
        let disk = PowerCutDisk(seed: 1)
        _ = try journal(disk, at: [10, 25])
        let reader = try JournalReader(disk.folder)
        _ = try reader.next()
        #expect(try folder(disk).retain(removingSegments: true).count > 2)
        #expect {
            while try reader.next() != nil {}
        } throws: { error in
            guard case JournalError.removed(_, let asked, let oldest) = error else { return false }
            return asked > 1 && oldest > asked && oldest <= 11
        }
    }

    /// A segment in the middle is missing, so those before it cannot be reached.
    @Test func aVerificationNoticesAMissingSegment() throws {
        let disk = PowerCutDisk(seed: 1)
        _ = try journal(disk, at: [])
        let names = segments(disk)
        disk.names[names[1]] = nil
        let first = try #require(SegmentName(names[2])).firstSequence
        #expect { try JournalVerification(disk.folder) } throws: { error in
            guard case JournalError.corrupt(let place) = error else { return false }
            return place.lastLost == first - 1 && place.path.hasSuffix(names[2])
        }
    }

    @Test func recoveryCanBeginAtAnOlderOne() throws {
        let disk = PowerCutDisk(seed: 1)
        _ = try journal(disk, at: [10, 20])
        let recovery = try JournalRecovery(disk.folder, snapshotAtMost: 19, options: smallFiles)
        #expect(recovery.snapshot?.sequence == 10)
    }

    @Test func aStateThatIsNotOnTheDiskIsRefused() throws {
        let disk = PowerCutDisk(seed: 1)
        _ = try journal(disk, at: [])
        let folder = try folder(disk)
        #expect(throws: JournalError.notSynced(sequence: 9, syncedThrough: 8)) {
            try folder.write(Fold(), at: 9, by: folds, syncedThrough: 8)
        }
        #expect(snapshots(disk).isEmpty)
    }

    @Test func twoAreKeptAndSegmentsOnlyIfAskedFor() throws {
        let disk = PowerCutDisk(seed: 1)
        let account = try journal(disk, at: [5, 10, 15, 25])
        let folder = try folder(disk)
        let before = segments(disk)
        try folder.retain(0, removingSegments: false)
        #expect(snapshots(disk).count == 2 && segments(disk) == before)
        try folder.retain(removingSegments: true)
        #expect(segments(disk).count < before.count)
        // The older of the two is enough, if the newer one is lost.
        disk.names[try #require(snapshots(disk).last)] = nil
        let opened = try open(disk.folder)
        #expect(opened.fold == account.folds[30] && opened.report.snapshot == 15)
    }

    @Test func aSnapshotThatCannotBeReadDoesNotCount() throws {
        let disk = PowerCutDisk(seed: 1)
        let account = try journal(disk, at: [5, 15, 25])
        let newest = try #require(snapshots(disk).last)
        disk.names[newest]!.seen[100] ^= 1
        try folder(disk).retain(removingSegments: true)
        #expect(snapshots(disk).count == 3)
        let opened = try open(disk.folder)
        #expect(opened.fold == account.folds[30] && opened.report.snapshot == 15)
    }

    @Test func withOneSnapshotNothingIsRemoved() throws {
        let disk = PowerCutDisk(seed: 1)
        _ = try journal(disk, at: [25])
        #expect(try folder(disk).retain(removingSegments: true).isEmpty)
    }

    /// A power cut after segments were removed, before anything else is synced.
    @Test func whatIsRemovedIsNeverNeeded() throws {
        for seed in 0..<60 as Range<UInt64> {
            let disk = PowerCutDisk(seed: seed)
            var account = try journal(disk, at: [])
            let folder = try folder(disk)
            for sequence in [12, 24] as [UInt64] {
                try folder.write(
                    account.folds[Int(sequence)],
                    at: sequence,
                    by: folds,
                    records: [.mark(producer: "p", number: sequence)],
                    syncedThrough: 30
                )
            }
            #expect(try folder.retain(removingSegments: true).count > 0)
            disk.restart()
            let found = try open(disk.folder).fold
            #expect(account.check(found) == nil)
        }
    }

    @Test func segmentsThatEffectsNeedAreKept() throws {
        let disk = PowerCutDisk(seed: 1)
        _ = try journal(disk, at: [10, 20])
        let before = segments(disk)
        #expect(try folder(disk).retain(removingSegments: true, needed: 9).isEmpty)
        #expect(segments(disk) == before && snapshots(disk).count == 2)
        #expect(try !folder(disk).retain(removingSegments: true, needed: 10).isEmpty)
    }

    @Test func aSnapshotWithTheNameOfAnotherActionDoesNotCount() throws {
        let disk = PowerCutDisk(seed: 1)
        let account = try journal(disk, at: [10, 20])
        disk.names[SnapshotName(25).text] = disk.names.removeValue(forKey: SnapshotName(20).text)
        let opened = try open(disk.folder)
        #expect(opened.fold == account.folds[30] && opened.report.snapshot == 10)
    }

    @Test func aSnapshotThatHoldsAnActionDoesNotCount() throws {
        for holdsAction in [false, true] {
            let disk = PowerCutDisk(seed: 1)
            var header = RecordFileHeader(purpose: .snapshot, firstSequence: 21)
            header.add(numbers.schema, as: .action)
            header.add(folds.schema, as: .state)
            var frames = try FrameBuilder(header: header)
            try frames.append(state: Fold(), time: .now, kindBase: numbers.schema.kinds.count, by: folds)
            if holdsAction { try frames.append(21, RecordHead(sequence: 21, time: .now), by: numbers) }
            var bytes = frames.headerBytes
            frames.seal(syncedThrough: 20, isLast: true) { bytes += $0 }
            let file = try disk.folder.create(SnapshotName(20).text)
            try bytes.withUnsafeBytes { try file.write($0, at: 0) }
            let snapshot = try? Snapshot(disk.folder, SnapshotName(20))
            #expect((snapshot == nil) == holdsAction)
        }
    }

    @Test func aSnapshotWithARecordThatNoWriterWritesDoesNotCount() throws {
        for kind in [0xFF00, 0xFF01] as [UInt16] {
            let disk = PowerCutDisk(seed: 1)
            var header = RecordFileHeader(purpose: .snapshot, firstSequence: 21)
            header.add(folds.schema, as: .state)
            var frames = try FrameBuilder(header: header)
            try frames.append(state: Fold(), time: .now, kindBase: 0, by: folds)
            [UInt64(7)].withUnsafeBytes { frames.append(reserved: kind, $0) }
            var bytes = frames.headerBytes
            frames.seal(syncedThrough: 20, isLast: true) { bytes += $0 }
            let file = try disk.folder.create(SnapshotName(20).text)
            try bytes.withUnsafeBytes { try file.write($0, at: 0) }
            // 0xFF00 is the number of a producer, here of one without a name. The end of an effect has more bytes.
            #expect(((try? Snapshot(disk.folder, SnapshotName(20))) == nil) == (kind == 0xFF01))
        }
    }

    /// Reads no state, or does not know the kind of it.
    private struct OtherFolds: ActionCodec {
        let knowsKind: Bool
        var schema: RecordSchema { folds.schema }
        func kind(of action: Fold) -> Int { folds.kind(of: action) }
        func encode(_ action: Fold, into output: inout RecordBuffer) throws(CodecError) {
            try folds.encode(action, into: &output)
        }
        func route(for kind: String, of type: RecordType) throws(CodecError) -> Int? {
            knowsKind ? try folds.route(for: kind, of: type) : nil
        }
        func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Fold {
            throw .notDecodable(type: "Fold", reason: "\(bytes.count) bytes", offset: nil)
        }
    }

    @Test func aStateThatTheCodecCannotReadIsAnErrorWithTheFileAndTheKind() throws {
        let disk = PowerCutDisk(seed: 1)
        _ = try journal(disk, at: [10])
        let snapshot = try Snapshot(disk.folder, SnapshotName(10))
        #expect(try snapshot.state(by: folds).count == 10)
        let (path, kind) = (snapshot.path, folds.schema.kinds[0])
        #expect(throws: JournalError.file(.unknownKind(path: path, offset: 0, kind: kind, sequence: 10))) {
            try snapshot.state(by: OtherFolds(knowsKind: false))
        }
        let size = MemoryLayout<Fold>.size
        let error = CodecError.notDecodable(type: "Fold", reason: "\(size) bytes", offset: nil)
        #expect(throws: JournalError.file(.codec(path: path, offset: nil, kind: kind, error: error))) {
            try snapshot.state(by: OtherFolds(knowsKind: true))
        }
    }

    @Test func aJournalThatEndsBeforeItsSnapshotIsNotVerified() throws {
        let disk = PowerCutDisk(seed: 1)
        _ = try journal(disk, at: [25])
        #expect(try JournalVerification(disk.folder).lastSequence == 30)
        for name in segments(disk).dropFirst(2) { disk.names[name] = nil }
        #expect(throws: JournalError.self) { _ = try JournalVerification(disk.folder) }
        disk.names[SnapshotName(25).text] = nil
        #expect(try JournalVerification(disk.folder).lastSequence < 25)
    }

    @Test func aRecoveryCutsOffTheTornEnd() throws {
        let disk = PowerCutDisk(seed: 1)
        _ = try journal(disk, at: [])
        disk.kill()
        let last = try #require(segments(disk).last)
        disk.names[last]!.seen += [UInt8](repeating: 7, count: 1_000)
        let torn = disk.names[last]!.seen.count
        let writer = try open(disk.folder).write()
        let epoch = writer.epoch
        #expect(epoch == 2 && disk.names[last]!.seen.count <= torn - 1_000)
    }
}
