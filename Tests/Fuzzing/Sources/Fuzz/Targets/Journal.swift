// SPDX-License-Identifier: Apache-2.0

@testable import MillraceJournal
@testable import MillraceRecords

/// The files of a journal, of which every byte is foreign. The first byte: bit 0, whether the checksums are made right.
/// Then the files: a byte that chooses the name, two bytes of length, the bytes.
let journalTarget = FuzzTarget(name: "journal", mostBytes: 8192, seeds: journalSeeds) { input in
    var choices = Choices(input)
    let isForged = choices.byte() % 2 == 1
    let files = unpacked(&choices, isForged: isForged)
    let folder = MemoryFolder(files)

    let verified = verification(folder)
    expect(verification(folder) == verified, "verified twice, it is not the same")
    expect(folder.files == files, "a verification has changed the files")

    let recovered = recovery(folder)
    folder.files = files
    expect(recovery(folder) == recovered, "recovered twice, it is not the same")
    folder.files = files
    compare(verified, recovered)
    if case .success = verified { checkLinks(folder) }
    readAlong(folder, recovered)

    // A journal that can be read can be continued, and nothing of it is lost then.
    guard case .success(let found) = recovered else { return }
    folder.files = files
    do throws(JournalError) {
        _ = try NumberJournal.recover(folder, appending: 77)
        var longer = found.fold
        longer.add(77)
        let again = try NumberJournal.recover(folder)
        expect(again.fold == longer, "\(again) after \(found) and one number more")
    } catch {
        expect(!error.description.isEmpty, "an error without words")
    }
}

private func verification(_ folder: MemoryFolder) -> Result<JournalVerification, JournalError> {
    do throws(JournalError) { return .success(try JournalVerification(folder)) } catch { return .failure(error) }
}

private func recovery(_ folder: MemoryFolder) -> Result<Recovered, JournalError> {
    do throws(JournalError) { return .success(try NumberJournal.recover(folder)) } catch { return .failure(error) }
}

/// What a verification has found whole a recovery reads: up to the same action, to the same end. Only what the codec says
/// of the actions it does not know.
private func compare(
    _ verified: Result<JournalVerification, JournalError>,
    _ recovered: Result<Recovered, JournalError>
) {
    guard case .success(let whole) = verified else { return }
    switch recovered {
    case .success(let found):
        expect(found.report.lastSequence == whole.lastSequence, "\(found.report) and \(whole)")
        expect(found.report.end == whole.end, "\(found.report) and \(whole)")
        if let snapshot = found.report.snapshot { expect(whole.snapshots.contains(snapshot), "\(whole)") }
    case .failure(.file(.codec)), .failure(.file(.unknownKind)): break
    case .failure(.removed(_, let asked, let oldest)):
        // The segments before were removed, and no snapshot is left: the actions that are there are whole.
        expect(asked < oldest, "\(asked) and \(oldest)")
    case .failure(let error): expect(false, "verified as \(whole), but recovered as \(error)")
    }
}

/// In a journal that is whole, each segment names the end of the one before it: the offset, and the checksum of the last
/// frame's header there. The frames are found by their lengths, without a reader.
private func checkLinks(_ folder: MemoryFolder) {
    guard let chain = try? SegmentChain(folder, from: 1, maximumFrame: 1 << 20) else { return }
    for (before, segment) in zip(chain.segments, chain.segments.dropFirst()) {
        guard let link = segment.link, let bytes = folder.files[before.name.text] else {
            return expect(false, "\(segment.path) follows nothing")
        }
        func word(_ place: Int) -> UInt32 {
            place + 4 > bytes.count ? 0 : bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        let header = Int(word(12))
        // The header of the file ends with its checksum, as that of a frame.
        var (last, place) = (header - 64, header)
        while place < link.offset, place + 64 <= bytes.count {
            (last, place) = (place, place + 64 + Int(word(place + 4)))
        }
        expect(place == link.offset, "\(link) ends no frame of \(before.path)")
        expect(word(last + 60) == link.checksum, "\(link) is not the end of \(before.path): \(word(last + 60))")
    }
}

/// The reader of a journal that is in use sees what a recovery sees.
private func readAlong(_ folder: MemoryFolder, _ recovered: Result<Recovered, JournalError>) {
    guard case .success(let found) = recovered else { return }
    do throws(JournalError) {
        let reader = try JournalReader(folder, from: (found.report.snapshot ?? 0) + 1)
        var actions: UInt64 = 0
        while let record = try reader.next() {
            if case .action = record.content { actions += 1 }
        }
        expect(actions == found.report.actions, "\(actions) actions, and \(found.report)")
        expect(reader.end == found.report.end, "\(reader.end.map(String.init(describing:)) ?? "") and \(found.report)")
    } catch {
        expect(false, "recovered as \(found), but read as \(error)")
    }
}

/// The names that files may have.
private let names = [
    SegmentName(firstSequence: 1, epoch: 1).text, SegmentName(firstSequence: 4, epoch: 1).text,
    SegmentName(firstSequence: 4, epoch: 2).text, SegmentName(firstSequence: 1, epoch: 2).text,
    SnapshotName(3).text, SnapshotName(6).text, "lock", SegmentName(firstSequence: .max, epoch: .max).text,
    SnapshotName(.max - 1).text,
]

private func unpacked(_ choices: inout Choices, isForged: Bool) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    while !choices.isAtEnd {
        let name = names[Int(choices.byte()) % names.count]
        let count = Int(choices.byte()) << 8 | Int(choices.byte())
        var bytes: [UInt8] = []
        while bytes.count < count, !choices.isAtEnd { bytes.append(choices.byte()) }
        files[name] = isForged ? withChecksums(bytes) : bytes
    }
    return files
}

private func packed(_ files: [String: [UInt8]], isForged: Bool) -> [UInt8] {
    files.sorted { $0.key < $1.key }.reduce([isForged ? 1 : 0]) { bytes, file in
        guard let number = names.firstIndex(of: file.key) else { return bytes }
        return bytes + [UInt8(number), UInt8(file.value.count >> 8), UInt8(file.value.count & 255)] + file.value
    }
}

@Sendable private func journalSeeds() -> [(name: String, bytes: [UInt8])] {
    var seeds: [(name: String, bytes: [UInt8])] = []
    for (name, isClosed, hasSnapshot) in [("open", false, false), ("closed", true, false), ("snapshot", true, true)] {
        let folder = MemoryFolder()
        do throws(JournalError) {
            for first in [1, 4] as [UInt64] {
                var writer = try JournalRecovery(folder, options: NumberJournal.options)
                    .finish([NumberJournal.codec.schema])
                for number in first..<(first + 3) { try NumberJournal.append(number, to: &writer) }
                try writer.sync()
                if hasSnapshot, first == 1 {
                    var fold = Fold()
                    for number in 1...3 as ClosedRange<UInt64> { fold.add(number) }
                    try SnapshotFolder(folder, journal: writer.journal, epoch: writer.epoch).write(
                        fold,
                        at: 3,
                        by: NumberJournal.folds,
                        records: [.mark(producer: "p", number: 3)],
                        syncedThrough: 3
                    )
                }
                if isClosed { try writer.close() }
            }
        } catch {
            expect(false, "\(error)")
        }
        let files = folder.files
        seeds += [(name, packed(files, isForged: false)), ("\(name)-forged", packed(files, isForged: true))]
        let cut = files.mapValues { Array($0.dropLast($0.count / 3)) }
        seeds.append(("\(name)-cut", packed(cut, isForged: false)))
        guard hasSnapshot else { continue }
        // The journal ends one action before its snapshot: its second segment is gone, and the end of the first one.
        var short = files
        short[names[2]] = nil
        short[names[0]]?.removeLast(80)
        seeds.append(("\(name)-short", packed(short, isForged: false)))
    }
    return seeds
}
