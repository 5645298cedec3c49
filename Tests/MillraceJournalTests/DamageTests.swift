// SPDX-License-Identifier: Apache-2.0

import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

/// Torn tails and damage: what was synced and is not there as it was is never passed in silence; hostile files give typed errors.
@Suite struct DamageTests {
    /// A journal of three segments and a snapshot, all of it synced.
    private func journal(closed: Bool, snapshot: Bool = false) throws -> (disk: PowerCutDisk, folds: [Fold]) {
        let disk = PowerCutDisk(seed: 7)
        var account = Account()
        var options = smallFiles
        options.segmentBytes = 700
        var writer = try open(disk.folder, options).write()
        for number in 1...8 as ClosedRange<UInt64> {
            _ = try writer.append(number * 13)
            account.add(number * 13)
            try writer.write()
            try writer.sync()
            if snapshot, number == 6 {
                try SnapshotFolder(disk.folder, journal: writer.journal, epoch: writer.epoch)
                    .write(
                        account.folds[6],
                        at: 6,
                        by: folds,
                        records: [.mark(producer: "p", number: 6)],
                        syncedThrough: 6
                    )
            }
        }
        try #require(writer.segments > 2)
        if closed { try writer.close() }
        disk.kill()
        return (disk, account.folds)
    }

    /// What a recovery finds after a change: the fold and how the journal ended, or the error.
    private func outcome(_ disk: PowerCutDisk) -> Result<(Fold, RecoveryReport), any Error> {
        defer { disk.kill() }
        return Result {
            let opened = try open(disk.folder)
            return (opened.fold, opened.report)
        }
    }

    private func isTyped(_ error: any Error) -> Bool { error is JournalError }

    @Test(arguments: [true, false]) func aChangedBitIsFound(isClosed: Bool) throws {
        let (disk, folds) = try journal(closed: isClosed)
        let segments = disk.names.filter { $0.key.hasPrefix("segment-") }.sorted { $0.key < $1.key }
        for (index, (name, node)) in segments.enumerated() {
            for place in 0..<node.seen.count * 8 {
                let (byte, bit) = (place / 8, UInt8(1) << UInt8(place % 8))
                node.seen[byte] ^= bit
                defer { node.seen[byte] ^= bit }
                switch outcome(disk) {
                case .failure(let error):
                    #expect(isTyped(error), "\(name) byte \(byte): \(error)")
                case .success(let (fold, report)):
                    // A prefix, and the report says what is missing; only the last group of a journal that was not
                    // closed can be lost so.
                    let count = Int(fold.count)
                    #expect(folds[count] == fold, "\(name) byte \(byte)")
                    #expect(count >= folds.count - (isClosed ? 1 : 2), "\(name) byte \(byte)")
                    if index == segments.count - 1 {
                        #expect(report.tornTail != nil, "\(name) byte \(byte)")
                    }
                }
            }
        }
    }

    /// A cut at the end of a frame looks as a crash does. Any other is reported, and in an older segment it is damage.
    @Test(arguments: [true, false]) func aFileThatIsCutIsFound(isClosed: Bool) throws {
        let (disk, folds) = try journal(closed: isClosed)
        let segments = disk.names.filter { $0.key.hasPrefix("segment-") }.sorted { $0.key < $1.key }
        for (index, (name, node)) in segments.enumerated() {
            let whole = node.seen
            for length in whole.indices {
                node.seen = Array(whole[..<length])
                switch outcome(disk) {
                case .failure(let error): #expect(isTyped(error), "\(name) to \(length): \(error)")
                case .success(let (fold, report)):
                    #expect(folds[Int(fold.count)] == fold, "\(name) to \(length)")
                    if index < segments.count - 1 {
                        // What is cut off is what was written ahead, and not used.
                        #expect(fold == folds.last!, "\(name) to \(length)")
                    } else if fold != folds.last! {
                        if case .ended = report.end { Issue.record("\(name) to \(length): \(report)") }
                    }
                }
            }
            node.seen = whole
        }
    }

    @Test func noiseIsATypedError() throws {
        let (disk, folds) = try journal(closed: true, snapshot: true)
        var random = SplitMix64(seed: 3)
        for node in disk.names.values {
            let whole = node.seen
            for _ in 0..<200 where !whole.isEmpty {
                node.seen = whole
                let start = Int.random(in: 0..<whole.count, using: &random)
                for byte in start..<min(whole.count, start + 40) {
                    node.seen[byte] = UInt8.random(in: 0...255, using: &random)
                }
                switch outcome(disk) {
                case .failure(let error): #expect(isTyped(error))
                case .success(let (fold, report)):
                    // A prefix. What is missing, and a snapshot that cannot be read, are reported.
                    #expect(folds[Int(fold.count)] == fold)
                    #expect(fold == folds.last! || report.tornTail != nil)
                }
            }
            node.seen = whole
        }
    }

    @Test func aDamagedSnapshotIsReportedAndTheOlderOneTaken() throws {
        let (disk, folds) = try journal(closed: true, snapshot: true)
        let (name, node) = try #require(disk.names.first { $0.key.hasPrefix("snapshot-") })
        #expect(try outcome(disk).get().1.snapshot == 6)
        for byte in node.seen.indices {
            node.seen[byte] ^= 4
            let (fold, report) = try outcome(disk).get()
            #expect(fold == folds.last! && report.snapshot == nil && report.damagedSnapshots == [name])
            node.seen[byte] ^= 4
        }
        let whole = node.seen
        for length in whole.indices {
            node.seen = Array(whole[..<length])
            let (fold, report) = try outcome(disk).get()
            #expect(fold == folds.last! && report.snapshot == nil && report.damagedSnapshots == [name])
        }
    }

    @Test func aJournalThatEndsBeforeItsSnapshotIsDamaged() throws {
        let (disk, _) = try journal(closed: false, snapshot: true)
        // Without the last segments: nothing but the snapshot says that they were there.
        let segments = disk.names.keys.filter { $0.hasPrefix("segment-") }.sorted()
        for name in segments.dropFirst() { disk.names[name] = nil }
        guard case .failure(let error as JournalError) = outcome(disk), case .corrupt(let place) = error else {
            Issue.record("\(outcome(disk))")
            return
        }
        #expect(place.lastLost == 6)
    }

    @Test func aMissingSegmentIsAnError() throws {
        let (disk, _) = try journal(closed: true)
        let segments = disk.names.filter { $0.key.hasPrefix("segment-") }.sorted { $0.key < $1.key }
        for (name, node) in segments.dropLast() {
            disk.names[name] = nil
            if case .success(let (fold, _)) = outcome(disk) { Issue.record("\(name): \(fold)") }
            disk.names[name] = node
        }
    }

    /// The header and the frames of a segment, one action a frame.
    private func frames(_ header: RecordFileHeader, _ actions: [(sequence: UInt64, number: UInt64)]) throws -> [[UInt8]]
    {
        var builder = try FrameBuilder(header: header)
        var pieces = [builder.headerBytes]
        builder.append(.link(nil))
        builder.seal(syncedThrough: 0) { pieces.append(Array($0)) }
        for action in actions {
            try builder.append(action.number, RecordHead(sequence: action.sequence, time: .now), by: numbers)
            builder.seal(syncedThrough: 0) { pieces.append(Array($0)) }
        }
        return pieces
    }

    /// Frames whose checksums are right, but which leave out an action, repeat one, or follow another frame.
    @Test func onlyTheNextFrameFollows() throws {
        var header = RecordFileHeader(purpose: .segment)
        header.add(numbers.schema, as: .action)
        let whole = try frames(header, [(1, 1), (2, 2), (3, 3)])
        let gap = try frames(header, [(1, 1), (2, 2), (4, 4)])
        let other = try frames(header, [(1, 1), (2, 9), (3, 3)])
        for (pieces, count, isTorn) in [
            (whole, 3, false), (gap, 2, true), (whole[..<4] + [whole[3]], 2, true), (whole[..<4] + [other[4]], 2, true),
        ] as [([[UInt8]], Int, Bool)] {
            let disk = PowerCutDisk(seed: 1)
            let node = disk.makeNode()
            node.seen = Array(pieces.joined())
            disk.names[SegmentName(firstSequence: 1, epoch: 1).text] = node
            let (fold, report) = try outcome(disk).get()
            #expect(Int(fold.count) == count && (report.tornTail != nil) == isTorn)
        }
    }

    /// The link of a segment names the very bytes before it: the same actions, written another time, are others.
    @Test func aSegmentThatWasExchangedIsFound() throws {
        var header = RecordFileHeader(purpose: .segment)
        header.add(numbers.schema, as: .action)
        let first = try frames(header, [(1, 1)])
        let exchanged = try frames(header, [(1, 14)])
        let name = SegmentName(firstSequence: 1, epoch: 1)
        let size = first.joined().count
        try #require(exchanged.joined().count == size)
        let checksum = first[2][60..<64].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        header.firstSequence = 2
        var second = try FrameBuilder(header: header)
        var bytes = second.headerBytes
        second.append(.link(SegmentLink(name: name, offset: size, checksum: checksum)))
        second.seal(syncedThrough: 1) { bytes += $0 }

        for (pieces, isWhole) in [(first, true), (exchanged, false)] {
            let disk = PowerCutDisk(seed: 1)
            for (name, bytes) in [(name, Array(pieces.joined())), (SegmentName(firstSequence: 2, epoch: 1), bytes)] {
                disk.names[name.text] = disk.makeNode()
                disk.names[name.text]?.seen = bytes
            }
            switch outcome(disk) {
            case .success(let (fold, _)): #expect(isWhole && fold.count == 1)
            case .failure(JournalError.corrupt(let place)): #expect(!isWhole && place.path.hasSuffix(name.text))
            case .failure(let error): throw error
            }
        }
    }

    /// The links of forged files could form a cycle.
    @Test(arguments: [SegmentName(firstSequence: 2, epoch: 1), SegmentName(firstSequence: 3, epoch: 0)])
    func aLinkThatLeadsForwardIsDamage(target: SegmentName) throws {
        let disk = PowerCutDisk(seed: 1)
        for name in [SegmentName(firstSequence: 2, epoch: 1), target] {
            var header = RecordFileHeader(purpose: .segment, firstSequence: name.firstSequence)
            header.epoch = name.epoch
            header.add(numbers.schema, as: .action)
            var builder = try FrameBuilder(header: header)
            var bytes = builder.headerBytes
            builder.append(.link(SegmentLink(name: target, offset: bytes.count, checksum: 0)))
            builder.seal(syncedThrough: 1) { bytes += $0 }
            disk.names[name.text] = disk.makeNode()
            disk.names[name.text]?.seen = bytes
        }
        guard case .failure(JournalError.corrupt(let place)) = outcome(disk) else { throw Unexpected() }
        #expect(place.reason == "its link leads forward")
        #expect(place.path.hasSuffix(SegmentName(firstSequence: 2, epoch: 1).text))
    }

    /// A record that no version of the library writes: its checksums are right, so the writer was another program.
    @Test func aRecordThatNoWriterWritesIsNotVerified() throws {
        let kind: UInt16 = 0xFF01
        var header = RecordFileHeader(purpose: .segment)
        header.add(numbers.schema, as: .action)
        var builder = try FrameBuilder(header: header)
        var bytes = builder.headerBytes
        builder.append(.link(nil))
        builder.seal(syncedThrough: 0) { bytes += $0 }
        let end = bytes.count
        try builder.append(1, RecordHead(sequence: 1, time: .now), by: numbers)
        [7, 7, 7].withUnsafeBytes { builder.append(reserved: kind, $0) }
        builder.seal(syncedThrough: 0) { bytes += $0 }
        let disk = PowerCutDisk(seed: 1)
        let name = SegmentName(firstSequence: 1, epoch: 1).text
        disk.names[name] = disk.makeNode()
        disk.names[name]?.seen = bytes
        #expect { _ = try JournalVerification(disk.folder) } throws: { error in
            guard case JournalError.file(.malformed(let path, let offset, let reason)) = error else { return false }
            return path.hasSuffix(name) && offset > end && reason == "a record of kind \(kind)"
        }
    }

    @Test func otherFilesAreNoSegments() throws {
        let name = SegmentName(firstSequence: 12, epoch: 3).text
        #expect(SegmentName(name) == SegmentName(firstSequence: 12, epoch: 3))
        let zero = String(repeating: "0", count: 20)
        for other in [
            "segment-12-3.mrj", "segment-\(zero)-\(zero).mrj", "segment-\(zero).mrj", "\(name).tmp", "snapshot" + name,
            name.replacing("12", with: "1x"), name.replacing("-0", with: "--"), "segment-.mrj",
        ] { #expect(SegmentName(other) == nil, "\(other)") }
    }

    /// A verification says what a recovery would say of a snapshot.
    @Test func aSnapshotThatDoesNotBelongToTheSegmentsIsRefused() throws {
        let (disk, _) = try journal(closed: true, snapshot: true)
        let (other, _) = try journal(closed: true, snapshot: true)
        let name = try #require(disk.names.keys.first { $0.hasPrefix("snapshot-") })
        let own = disk.names[name]
        disk.names[name] = other.names[name]
        guard case .failure(JournalError.foreign) = outcome(disk) else { throw Unexpected() }
        #expect { try JournalVerification(disk.folder) } throws: { error in
            if case JournalError.foreign = error { true } else { false }
        }

        disk.names[name] = own
        for name in disk.names.keys where name.hasPrefix("segment-") { disk.names[name] = nil }
        guard case .failure(JournalError.corrupt(let place)) = outcome(disk) else { throw Unexpected() }
        #expect(throws: JournalError.corrupt(at: place)) { try JournalVerification(disk.folder) }
    }

    /// An epoch after the largest one would be 0, and the next writer's segments would count as old ones.
    @Test func theLargestEpochIsRefused() throws {
        let (disk, _) = try journal(closed: true)
        let name = SegmentName(firstSequence: 1_000_000, epoch: .max).text
        disk.names[name] = disk.makeNode()
        disk.names[name]?.seen = []
        guard case .failure(JournalError.corrupt(let place)) = outcome(disk) else { throw Unexpected() }
        #expect(place.reason.contains("largest"))
    }

    @Test func aSegmentOfAnotherJournalIsRefused() throws {
        let (disk, _) = try journal(closed: true)
        let (other, _) = try journal(closed: true)
        let name = try #require(disk.names.keys.filter { $0.hasPrefix("segment-") }.sorted().dropFirst().first)
        disk.names[name] = other.names[name]
        guard case .failure(JournalError.foreign) = outcome(disk) else {
            Issue.record("\(outcome(disk))")
            return
        }
    }
}
