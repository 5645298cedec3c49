// SPDX-License-Identifier: Apache-2.0

import Glibc

@testable import MillraceInstrumentation
@testable import MillraceRuntime

/// Files of event rings and of flight recorders. The first byte chooses: 0 the file as it is, 1 with a right checksum of
/// its header; else a ring that the rest of the input writes.
let ringTarget = FuzzTarget(name: "ring", mostBytes: 4096, seeds: ringSeeds) { input in
    var choices = Choices(input)
    switch choices.byte() % 3 {
    case 0: checkFile(choices.rest())
    case 1: checkFile(withRingChecksum(choices.rest()))
    default: checkWriter(&choices)
    }
}

private func checkFile(_ bytes: [UInt8]) {
    withFile(bytes, named: "ring") { path in
        let first = found(path)
        expect(found(path) == first, "read twice, it is not the same")
        if let breadcrumbs = try? Breadcrumbs(path: path) {
            for line in breadcrumbs.lines {
                expect(!line.unicodeScalars.contains { $0.value < 0x20 }, "a line with a control character")
            }
        }
        guard let snapshot = first.snapshot else { return }
        expect(snapshot.entries.count <= bytes.count / 8, "\(snapshot.entries.count) entries in \(bytes.count) bytes")
        expect(snapshot.texts.count <= bytes.count / 8, "\(snapshot.texts.count) texts in \(bytes.count) bytes")
        for (entry, next) in zip(snapshot.entries, snapshot.entries.dropFirst()) {
            expect(entry.sequence < next.sequence, "entry \(next.sequence) follows \(entry.sequence)")
        }
        for entry in snapshot.entries { _ = snapshot.text(entry[0]) }
    }
}

private struct Found: Equatable {
    var snapshot: EventRingSnapshot?
    var reason = ""
}

private func found(_ path: String) -> Found {
    do throws(EventRingError) {
        return Found(snapshot: try EventRingFile.read(path))
    } catch {
        expect(!error.description.isEmpty, "an error without words")
        if case .damaged(_, let reason, let partial) = error { return Found(snapshot: partial, reason: reason) }
        return Found(reason: "\(error)")
    }
}

/// What a ring has written is what its file says.
private func checkWriter(_ choices: inout Choices) {
    let path = "\(scratch)/writer-\(getpid())"
    let (capacity, words) = (1 + choices.number(below: 20), 1 + choices.number(below: 9))
    defer { for name in [path, "\(path).previous"] { unlink(name) } }
    guard let ring = try? EventRing(path: path, capacity: capacity, wordsPerEntry: words, textBytes: 256) else {
        return expect(false, "a ring could not be made")
    }
    while !choices.isAtEnd {
        if choices.byte() % 4 == 0 {
            _ = ring.intern(choices.text(Int(choices.byte() % 40)))
        } else {
            let first = UInt64(choices.word())
            ring.append(words: (0..<words).map { first &+ UInt64($0) })
        }
    }
    let memory = ring.snapshot()
    guard let file = try? EventRingFile.read(path) else { return expect(false, "the file cannot be read") }
    expect(file == memory, "the file says something else than the ring")
}

extension EventRing {
    fileprivate func append(words: [UInt64]) { words.withUnsafeBufferPointer { _ = append($0) } }
}

/// Gives a file the checksum that its header must have (CSources/CMillrace/src/ring.c).
private func withRingChecksum(_ file: [UInt8]) -> [UInt8] {
    guard file.count >= 160 else { return file }
    var bytes = file
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes[..<144] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for byte in 0..<8 { bytes[144 + byte] = UInt8(truncatingIfNeeded: sum >> (8 * UInt64(byte))) }
    return bytes
}

@Sendable private func ringSeeds() -> [(name: String, bytes: [UInt8])] {
    let path = "\(scratch)/seed-\(getpid())"
    var seeds: [(name: String, bytes: [UInt8])] = [("writer", [2, 0, 0, 0, 3, 0, 0, 0, 2] + Array(0...60))]
    for (name, words, count) in [
        ("small", 2, 3), ("full", 1, 9), ("breadcrumbs", Breadcrumb.words, 3), ("empty", 1, 0),
    ] {
        guard let ring = try? EventRing(path: path, capacity: 4, wordsPerEntry: words, textBytes: 64) else { continue }
        let text = ring.intern("placed")
        for number in 0..<UInt64(count) {
            ring.append(words: (0..<words).map { $0 == 4 || $0 == 5 ? text << 32 | text : number })
        }
        ring.end()
        let bytes = contents(path)
        seeds += [(name, [0] + bytes), ("\(name)-forged", [1] + bytes), ("\(name)-cut", [0] + bytes.dropLast(70))]
    }
    for name in [path, "\(path).previous"] { unlink(name) }
    return seeds
}
