// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Foundation
import MillraceRuntime
import TestSupport
import Testing

/// Nothing that is in a file stops the program.
@Suite("EventRing: files that are none, or damaged", .timeLimit(.minutes(5)))
struct EventRingDamageTests {
    let folder: TemporaryFolder
    /// A small file: a header of 320 bytes, 64 of text, and four entries of 32.
    let good: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        let ring = try EventRing(path: folder.file("good"), capacity: 4, wordsPerEntry: 3, textBytes: 64)
        for number in 0..<4 as Range<UInt64> { ring.append(number, ring.intern("kind \(number)" as String), 7) }
        good = try Bytes.read(folder.file("good"))
        try #require(good.count == 320 + 64 + 4 * 32)
    }

    /// The error of reading these bytes; nil when there is none.
    private func error(_ bytes: some Sequence<UInt8>) throws -> EventRingError? {
        try Bytes.write(bytes, folder.file())
        do throws(EventRingError) {
            _ = try EventRingFile.read(folder.file())
            return nil
        } catch {
            return error
        }
    }

    /// The good bytes with a word changed, and the checksum made right again.
    private func patched(_ offset: Int, _ value: UInt64, checksum: Bool = true) -> [UInt8] {
        var bytes = good
        withUnsafeBytes(of: value) { bytes.replaceSubrange(offset..<offset + 8, with: $0) }
        return checksum ? Bytes.summed(bytes) : bytes
    }

    @Test("a file that was cut off anywhere is an error, with the entries that are whole")
    func truncated() throws {
        let path = folder.file()
        for length in 0..<good.count {
            let error = try error(good.prefix(length))
            switch error {
            case .tooShort(path, UInt64(length), 320) where length < 320: break
            case .damaged(path, _, let partial) where length >= 320:
                let whole = max(0, length - 384) / 32
                #expect(partial.entries.map(\.sequence) == Array(0..<UInt64(whole)), "length \(length)")
                #expect(partial.entries.allSatisfy { $0.words == [$0.sequence, $0.sequence + 1, 7] })
                let texts = ["kind 0", "kind 1", "kind 2", "kind 3"].prefix(max(0, length - 320) / 16)
                #expect(partial.texts == Array(texts), "length \(length)")
                #expect(partial.origin.processID == Int64(getpid()))
            default: Issue.record("length \(length): \(String(describing: error))")
            }
        }
        #expect(try error(good) == nil)
        #expect(try error(good + [1, 2, 3]) == nil)
    }

    @Test("a foreign file is named as such")
    func foreign() throws {
        let path = folder.file()
        #expect(try error("#!/bin/sh\necho".utf8) == .notARing(path: path))
        #expect(try error([0]) == .notARing(path: path))
        #expect(try error(repeatElement(0, count: 4096)) == .notARing(path: path))
        #expect(try error([]) == .tooShort(path: path, bytes: 0, needed: 320))
    }

    @Test("another version and another order of bytes are named as such")
    func otherMachines() throws {
        let path = folder.file()
        #expect(try error(patched(16, 2)) == .otherVersion(path: path, found: 2, supported: 1))
        #expect(try error(patched(8, 0x0807_0605_0403_0201)) == .foreignByteOrder(path: path))
        // Also when that is all there is.
        #expect(try error(patched(16, 2).prefix(24)) == .otherVersion(path: path, found: 2, supported: 1))
    }

    @Test("a header that contradicts itself is not believed, even with the right checksum")
    func damagedHeader() throws {
        func reason(_ bytes: [UInt8]) throws -> String? {
            guard case .damagedHeader(_, let reason) = try error(bytes) else { return nil }
            return reason
        }
        #expect(try reason(patched(8, 5)) == "it names no order of bytes")
        #expect(try reason(patched(112, 1, checksum: false)) == "its checksum is wrong")
        #expect(try reason(patched(Int(MILLRACE_RING_FINISHED_AT), 0)) == "its writer did not finish it")
        for offset in stride(from: 24, through: 56, by: 8) {
            for value in [0, 1, 5, 1 << 20, 1 << 32, 1 << 62, .max - 7, .max] as [UInt64] {
                #expect(try reason(patched(offset, value)) == "its sizes are impossible", "\(offset): \(value)")
            }
        }
    }

    @Test("after damage behind the header the rest is read")
    func damagedContents() throws {
        func partial(_ offset: Int, _ value: UInt64) throws -> EventRingSnapshot? {
            guard case .damaged(_, _, let partial) = try error(patched(offset, value)) else { return nil }
            return partial
        }
        let all: [UInt64] = [0, 1, 2, 3]
        for value in [5, 1 << 40, 1 << 63, .max] as [UInt64] {
            #expect(try partial(Int(MILLRACE_RING_NEXT_AT), value)?.entries.map(\.sequence) == all, "\(value)")
        }
        // The stamp of the second entry.
        #expect(try partial(384 + 32, 0)?.entries.map(\.sequence) == [0, 2, 3])
        #expect(try partial(384 + 32, 2)?.entries.map(\.sequence) == [0, 2, 3])
        // Odd: the entry was being written.
        #expect(try partial(384 + 32, 5)?.entries.map(\.sequence) == [0, 2, 3])
        // The length of the second text.
        for value in [9, 1 << 20, 1 << 63, .max] as [UInt64] {
            let partial = try partial(320 + 16, value)
            #expect(partial?.entries.map(\.sequence) == all)
            #expect(partial?.texts.first == "kind 0")
        }
        for value in [63, 72, 1 << 40, .max] as [UInt64] {
            #expect(try partial(Int(MILLRACE_RING_TEXT_USED_AT), value)?.texts.prefix(3).last == "kind 2", "\(value)")
        }
    }

    @Test("random damage ends in a snapshot or an error")
    func random() {
        let counterexample = firstCounterexample(cases: 3000) { random in
            var bytes = good
            switch Int.random(in: 0..<4, using: &random) {
            case 0:  // bits of the whole file
                for _ in 0...Int.random(in: 0..<8, using: &random) {
                    let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
                    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                }
            case 1:  // sizes that are nearly right
                let offset = Int.random(in: 3...7, using: &random) * 8
                bytes[offset + Int.random(in: 0..<8, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2:  // words behind the constants
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    let offset = Int.random(in: 19..<bytes.count / 8, using: &random) * 8
                    let value = UInt64.random(in: 0...UInt64.max, using: &random)
                    let shifted = value >> UInt64.random(in: 0..<64, using: &random)
                    withUnsafeBytes(of: shifted) { bytes.replaceSubrange(offset..<offset + 8, with: $0) }
                }
            default:  // nothing but the beginning is right
                for index in 24..<bytes.count { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            }
            if Bool.random(using: &random) { bytes = Bytes.summed(bytes) }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            do {
                let error = try error(bytes)
                guard let error else { return nil }
                if error.description.isEmpty { return "an error without words" }
                guard case .damaged(_, _, let partial) = error else { return nil }
                let sequences = partial.entries.map(\.sequence)
                return zip(sequences, sequences.dropFirst()).allSatisfy(<) && sequences.count <= 4
                    ? nil : "entries out of order: \(sequences)"
            } catch {
                return "\(error)"
            }
        }
        #expect(counterexample == nil)
    }

    @Test("what is no file, and what is not there, is an error with the system's words")
    func unreadable() throws {
        let missing = folder.file("missing")
        #expect(throws: EventRingError.cannotRead(path: missing, reason: "No such file or directory")) {
            try EventRingFile.read(missing)
        }
        #expect(throws: EventRingError.cannotRead(path: folder.path, reason: "It is not a file")) {
            try EventRingFile.read(folder.path)
        }
        #expect(throws: EventRingError.cannotRead(path: "/dev/zero", reason: "It is not a file")) {
            try EventRingFile.read("/dev/zero")
        }
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(throws: EventRingError.cannotRead(path: pipe, reason: "It is not a file")) {
            try EventRingFile.read(pipe)
        }
        #expect(throws: EventRingError.cannotRead(path: "a\0b", reason: "That is not a path")) {
            try EventRingFile.read("a\0b")
        }
    }

    @Test("a ring that cannot be created is an error, and leaves nothing behind")
    func uncreatable() throws {
        func reason(_ path: String) -> String? {
            do throws(EventRingError) {
                _ = try EventRing(path: path, capacity: 4)
                return nil
            } catch {
                guard case .cannotCreate(path, let reason) = error else { return nil }
                return reason
            }
        }
        #expect(reason(folder.file("no/folder")) == "No such file or directory")
        #expect(reason(folder.path) == "Is a directory")
        #expect(reason(folder.file("good") + "/below") == "Not a directory")
        #expect(throws: EventRingError.notReplaced(path: "/dev/null")) {
            try EventRing(path: "/dev/null", capacity: 4)
        }
        #expect(reason("") == "That is not a path")
        #expect(folder.files == ["good"])
    }

    @Test("a file that the system does not let grow is an error at creation, and what was there stays")
    func noRoom() async throws {
        await #expect(processExitsWith: .exitCode(42)) {
            let folder = try TemporaryFolder()
            try EventRing(path: folder.file(), capacity: 4).append(5)
            limitFiles(to: 8192)
            do throws(EventRingError) {
                _ = try EventRing(path: folder.file(), capacity: 65_536)
            } catch {
                let expected = EventRingError.cannotCreate(path: folder.file(), reason: "File too large")
                let kept = try EventRingFile.read(folder.file()).entries.map { $0[0] } == [5]
                let clean = folder.files == ["flight.ring"]
                exit(error == expected && kept && clean ? 42 : 1)
            }
        }
    }
}
