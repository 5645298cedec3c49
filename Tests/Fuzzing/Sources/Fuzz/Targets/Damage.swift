// SPDX-License-Identifier: Apache-2.0

@testable import MillraceJournal
@testable import MillraceRecords

/// A journal that the library has written, and whose files are then damaged. The input says how it is written and how it
/// is damaged. Checksums are not mended: whatever happens to the files, a recovery must find a prefix of what was
/// written, or throw an error.
let damageTarget = FuzzTarget(name: "damage", mostBytes: 512, seeds: damageSeeds) { input in
    var choices = Choices(input)
    let folder = MemoryFolder()
    var prefixes = [Fold()]
    var least = 0
    // Up to three lives of the program; each may end with an unsynced frame, or in the regular way.
    for _ in 0...(choices.byte() % 3) { live(folder, &choices, &prefixes, &least) }
    let whole = folder.files
    expectRecovery(folder, prefixes, least: least, isDamaged: false)

    folder.files = whole
    var isDamaged = false
    for _ in 0..<(choices.byte() % 4) {
        if damage(folder, &choices) { isDamaged = true }
    }
    guard isDamaged else { return }
    let files = folder.files
    let found = expectRecovery(folder, prefixes, least: 0, isDamaged: true)
    folder.files = files
    let again = expectRecovery(folder, prefixes, least: 0, isDamaged: true)
    expect(again == found, "recovered twice from the same bytes, it is not the same: \(String(describing: found))")
}

/// Writes some numbers, and a snapshot if the input says so.
private func live(_ folder: MemoryFolder, _ choices: inout Choices, _ prefixes: inout [Fold], _ least: inout Int) {
    do throws(JournalError) {
        var writer = try JournalRecovery(folder, options: NumberJournal.options).finish([NumberJournal.codec.schema])
        for _ in 0..<(choices.byte() % 12) {
            let choice = choices.byte()
            try NumberJournal.append(UInt64(choice), to: &writer)
            var fold = prefixes[prefixes.count - 1]
            fold.add(UInt64(choice))
            prefixes.append(fold)
            if choice % 2 == 0 {
                try writer.sync()
                least = prefixes.count - 1
            }
            if choice % 16 == 2 { try writeSnapshot(folder, writer, prefixes) }
        }
        if choices.byte() % 2 == 0 {
            try writer.close()
            least = prefixes.count - 1
        }
    } catch {
        expect(false, "a journal cannot be written: \(error)")
    }
}

private func writeSnapshot(
    _ folder: MemoryFolder,
    _ writer: borrowing JournalWriter<MemoryFolder>,
    _ prefixes: [Fold]
) throws(JournalError) {
    try SnapshotFolder(folder, journal: writer.journal, epoch: writer.epoch).write(
        prefixes[prefixes.count - 1],
        at: UInt64(prefixes.count - 1),
        by: NumberJournal.folds,
        syncedThrough: writer.syncedThrough
    )
}

/// Changes one file; false if nothing was changed.
private func damage(_ folder: MemoryFolder, _ choices: inout Choices) -> Bool {
    let names = folder.files.keys.filter { $0 != "lock" }.sorted()
    guard !names.isEmpty else { return false }
    let name = names[choices.number(below: names.count)]
    var bytes = folder.files[name] ?? []
    let place = choices.number(below: bytes.count)
    let count = min(bytes.count - place, 1 + choices.number(below: 80))
    switch choices.byte() % 6 {
    case 0 where !bytes.isEmpty: bytes[place] ^= max(1, choices.byte())
    case 1: bytes.removeLast(bytes.count - place)
    case 2: for byte in place..<(place + count) { bytes[byte] = 0 }
    case 3: bytes.removeSubrange(place..<(place + count))
    case 4: bytes.insert(contentsOf: bytes[place..<(place + count)], at: place)
    default:
        // The whole file is gone, or has the place of another.
        let other = names[choices.number(below: names.count)]
        folder.files[other] = choices.byte() % 2 == 0 ? nil : bytes
        return true
    }
    guard folder.files[name] != bytes else { return false }
    folder.files[name] = bytes
    return true
}

@discardableResult
private func expectRecovery(_ folder: MemoryFolder, _ prefixes: [Fold], least: Int, isDamaged: Bool) -> Recovered? {
    do throws(JournalError) {
        let found = try NumberJournal.recover(folder, appending: 77)
        let count = Int(found.fold.count)
        expect(count < prefixes.count && prefixes[count] == found.fold, "a state that is no prefix: \(found)")
        expect(count >= least, "\(count) numbers, and \(least) were acknowledged: \(found.report)")
        // What is written behind it is read again.
        var longer = found.fold
        longer.add(77)
        let again = try NumberJournal.recover(folder)
        expect(again.fold == longer, "\(again) after \(found) and one number more")
        return found
    } catch {
        expect(isDamaged, "a whole journal gives \(error)")
        expect(!error.description.isEmpty, "an error without words")
        return nil
    }
}

@Sendable private func damageSeeds() -> [(name: String, bytes: [UInt8])] {
    [
        ("three-lives", [2, 9, 2, 3, 4, 18, 6, 7, 8, 10, 12, 0, 5, 2, 2, 2, 1, 3, 1, 4, 1, 1, 1, 1, 0, 2, 0, 0, 0, 1]),
        ("snapshot", [0, 11, 2, 4, 6, 8, 18, 2, 4, 6, 34, 8, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 90, 0, 0, 0, 4, 0, 9]),
        (
            "cut",
            [
                1, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 7, 0, 5, 8, 8, 8, 8, 8, 1, 1, 0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 0,
                1,
            ]
        ),
        (
            "gone",
            [
                1, 6, 2, 2, 2, 2, 2, 2, 0, 6, 2, 2, 2, 2, 2, 2, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 1,
                0,
            ]
        ),
    ]
}
