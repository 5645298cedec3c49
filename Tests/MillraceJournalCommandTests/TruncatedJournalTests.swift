// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceJournal
import MillraceRecords
import Testing

@testable import MillraceJournalCommand

/// `tail --state` of a journal that has lost its first segments, its snapshots, or the end of its last segment.
@Suite final class TruncatedJournalTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)")
        .path
    private let count = 2_000

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Writes the numbers from 1 on, and removes the segments that no kept snapshot needs.
    private func write() async throws {
        let journal = try Journal<Transfer>(
            directory: folder,
            codec: .codable(version: 1),
            durability: .process,
            segmentBytes: 65_536
        )
        let store = try await ReduxStoreBase(
            recovering: journal,
            initialState: Bank(),
            reducer: BankJournal.reducer,
            snapshots: .every(actions: 300, removesSegments: true, by: .codable(version: 1))
        )
        for number in 1...count {
            if number == 1 {
                store.dispatch(.moved(cents: number), producer: "early", number: 1)
            } else {
                store.dispatch(.moved(cents: number))
            }
            if number % 50 == 0 { try await store.journaled() }
            // With many snapshots at once, some are left out.
            guard number % 300 == 0 else { continue }
            for _ in 1...60_000 where journal.metrics.newestSnapshot + 300 < number {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        _ = await store.shutdown()
        try #require(try JournalAccess<BankJournal>(folder).first > 1, "segments were removed")
    }

    private func names(_ end: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(end) }.sorted()
    }

    /// The actions and states that `tail --state` prints: the sequence, and the state's cents if there is a state.
    private func tail(_ lines: Int) throws -> [(sequence: Int, cents: Int?)] {
        let found = try run(BankJournal.self, "tail", folder, "-n", "\(lines)", "--state", "--no-follow")
        #expect(found.code == 0, "\(found.text)")
        var result: [(sequence: Int, cents: Int?)] = []
        for line in found.text.split(separator: "\n") {
            if line.hasPrefix("    state  ") {
                let digits = line.split(separator: "cents: ").last?.prefix { $0.isNumber } ?? ""
                let last = try #require(result.indices.last)
                result[last].cents = Int(digits)
            } else {
                result.append((try #require(Int(line.prefix { $0.isNumber })), nil))
            }
        }
        return result
    }

    private func sum(_ number: Int) -> Int { number * (number + 1) / 2 }

    @Test("stat tells a producer whose last mark is in a removed segment")
    func producers() async throws {
        try await write()
        #expect(try run(BankJournal.self, "stat", folder).text.contains("producer    early  1\n"))
    }

    @Test("without its first segments, the states begin with a snapshot, and are right")
    func firstSegmentsRemoved() async throws {
        try await write()
        let first = try JournalAccess<BankJournal>(folder).first
        for lines in [0, 1, 10, count - Int(first), count - Int(first) + 1, count, 10 * count] {
            let found = try tail(lines)
            let expected = max(Int(first), count - lines + 1)
            #expect(found.map(\.sequence) == Array((expected - 1...count).dropFirst()), "\(lines)")
            // Without a snapshot before the first lines, these have no state.
            let states = found.drop { $0.cents == nil }
            #expect(states.allSatisfy { $0.cents == sum($0.sequence) }, "\(lines)")
            #expect(states.count == found.count || lines > 10, "\(lines)")
            #expect(lines == 0 || !states.isEmpty)
        }
    }

    @Test("without a snapshot to begin with, it is an error that says what to do")
    func noSnapshot() async throws {
        try await write()
        for name in try names(".mrs") { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
        let found = try run(BankJournal.self, "tail", folder, "--state", "--no-follow")
        #expect(found.code == 1)
        #expect(
            found.text.contains(
                "there is no snapshot to begin with that can be read. Read a copy that goes back further"
            )
        )
        // The actions themselves can be read.
        #expect(try run(BankJournal.self, "tail", folder, "-n", "1", "--no-follow").code == 0)
    }

    @Test("a torn end: the states go to the last whole frame")
    func tornEnd() async throws {
        try await write()
        let file = "\(folder)/\(try #require(try names(".mrj").last))"
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        let newest = try #require(try JournalAccess<BankJournal>(folder).snapshots().whole.last)
        var ends: Set<Int> = []
        for size in stride(from: whole.count, to: whole.count / 2, by: -997) {
            try whole.prefix(size).write(to: URL(fileURLWithPath: file))
            let found = try run(BankJournal.self, "tail", folder, "-n", "5", "--state", "--no-follow")
            guard found.code == 0 else {
                // What a snapshot says was synced is missing.
                #expect(found.text.contains("of which there is a snapshot"), "\(size): \(found.text)")
                continue
            }
            let states = try tail(5)
            let last = try #require(states.last)
            ends.insert(last.sequence)
            #expect(states.allSatisfy { $0.cents == sum($0.sequence) }, "\(size)")
            #expect(states.map(\.sequence) == Array(last.sequence - 4...last.sequence), "\(size)")
        }
        #expect(ends.count > 1 && ends.max() == count, "\(ends), \(newest)")
    }
}
