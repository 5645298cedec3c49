// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Millrace
import MillraceJournal
import MillraceRecords
import Testing

@testable import MillraceJournalCommand

@Suite final class JournalCommandTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)")
        .path

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Writes actions, with a snapshot after each so many.
    private func write(_ actions: [Transfer], snapshotEvery: Int = 10) async throws {
        let journal = try Journal<Transfer>(directory: folder, codec: .codable(version: 1), durability: .process)
        let store = try await ReduxStoreBase(
            recovering: journal,
            initialState: Bank(),
            reducer: BankJournal.reducer,
            snapshots: .every(actions: snapshotEvery, keep: 100, by: .codable(version: 1))
        )
        for action in actions {
            store.dispatch(action)
            // One snapshot is taken after the other: with many at once, some are left out.
            try await store.journaled()
        }
        _ = await store.shutdown()
    }

    private static let moves: [Transfer] = (1...100).map { .moved(cents: $0 == 37 ? -10_000 : $0 == 38 ? 10_000 : $0) }

    @Test("bisect folds until the first break of a rule that may be mended")
    func bisectFolds() async throws {
        try await write(Self.moves)
        let found = try run(BankJournal.self, "bisect", folder, "--invariant", "not below zero")
        #expect(found.code == 1)
        #expect(found.text.contains("sequence  37\n"))
        #expect(found.text.contains("after action 37 the state breaks the rule 'not below zero'"))
    }

    @Test(
        "bisect finds the break of a rule that stays broken, between two snapshots",
        arguments: [1, 10, 11, 45, 99, 100]
    )
    func bisectHalves(_ place: Int) async throws {
        var actions = Self.moves
        for index in (place - 1)..<100 where (index - place) % 7 == 6 || index == place - 1 { actions[index] = .failed }
        try await write(actions)
        let found = try run(BankJournal.self, "bisect", folder, "--invariant", "no failure")
        #expect(found.code == 1)
        #expect(found.text.contains("after action \(place) the state breaks"), "\(found.text)")
    }

    @Test("bisect says when no state breaks a rule, lists the rules, and knows no other")
    func bisectNothing() async throws {
        try await write(Self.moves)
        let found = try run(BankJournal.self, "bisect", folder, "--invariant", "no failure")
        #expect(found == (0, "no action up to 100 breaks the rule 'no failure'\n"))
        #expect(try run(BankJournal.self, "bisect", folder) == (0, "not below zero\nno failure\n"))
        let unknown = try run(BankJournal.self, "bisect", folder, "--invariant", "x")
        #expect(unknown.code == 1)
        #expect(unknown.text.contains("there is no rule 'x'. Give one of 'not below zero', 'no failure'"))
        let none = try run(PlainJournal.self, "bisect", folder, "--invariant", "x")
        #expect(none.text.contains("Give the journal model 'invariants'"))
    }

    @Test("export writes an Encodable action as JSON")
    func export() async throws {
        try await write(Self.moves)
        let found = try run(BankJournal.self, "export", folder, "--from", "36", "--to", "37")
        #expect(found.code == 0)
        let lines = try found.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["sequence"] as? Int } == [36, 37])
        #expect(lines[1]["kind"] as? String == "moved")
        #expect(((lines[1]["action"] as? [String: Any])?["moved"] as? [String: Any])?["cents"] as? Int == -10_000)
        let time = try #require(lines[1]["time"] as? String)
        #expect(time.count == 30 && time.hasPrefix("20") && time.hasSuffix("Z"))
    }

    @Test("show prints an action and the state after it; the model's own text")
    func show() async throws {
        try await write(Self.moves)
        let found = try run(BankJournal.self, "show", folder, "37", "--state")
        #expect(found.code == 0)
        #expect(found.text.contains("kind      moved\n"))
        #expect(found.text.contains("action    moved(cents: -10000)\n"))
        #expect(found.text.contains("cents: \((1...36).reduce(0, +) - 10_000)"))
        #expect(try run(PlainJournal.self, "show", folder, "1").text.contains("action    <moved(cents: 1)>\n"))
        let missing = try run(BankJournal.self, "show", folder, "101")
        #expect(missing.code == 1)
        #expect(missing.text.contains("holds the actions 1 to 100, not 101. Give one of these"))
    }

    @Test("tail prints the state after each action")
    func tailStates() async throws {
        try await write(Self.moves)
        let found = try run(BankJournal.self, "tail", folder, "--lines", "2", "--state", "--no-follow")
        let sums = [99, 100].map { (1...$0).reduce(0, +) - 75 }
        let lines = found.text.split(separator: "\n")
        #expect(found.code == 0 && lines.count == 4)
        #expect(lines[1].contains("cents: \(sums[0])") && lines[3].contains("cents: \(sums[1])"))
    }

    @Test("verify compares snapshots with the actions, and finds a changed reducer")
    func verify() async throws {
        try await write(Self.moves)
        let found = try run(BankJournal.self, "verify", folder)
        #expect(found.code == 0)
        #expect(found.text.contains("after 100 actions, "))
        #expect(!found.text.contains(" 0 snapshots hold it"))
        let changed = try run(ChangedJournal.self, "verify", folder)
        #expect(changed.code == 1)
        #expect(changed.text.contains("holds another state than the actions give"))
        #expect(try run(ChangedJournal.self, "verify", folder, "--files-only").code == 0)
    }

    @Test("verify names the file and the byte of a damage")
    func damage() async throws {
        try await write(Self.moves)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".mrj") }.sorted().first
        )
        let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: file)
        let found = try run(BankJournal.self, "verify", folder)
        #expect(found.code == 1)
        #expect(found.text.contains(name))
        #expect(found.text.contains(" byte "))
    }

    @Test("verify names a damaged snapshot")
    func damagedSnapshot() async throws {
        try await write(Self.moves)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".mrs") }.sorted().first
        )
        let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: file)
        let found = try run(BankJournal.self, "verify", folder)
        #expect(found.code == 1)
        #expect(found.text.contains("not these snapshots: \(name)"))
    }

    @Test("snapshot needs a codec of states, and keeps the numbers of producers")
    func snapshot() async throws {
        try await write(Self.moves, snapshotEvery: 1_000)
        let refused = try run(PlainJournal.self, "snapshot", folder)
        #expect(refused.code == 1)
        #expect(refused.text.contains("give its journal model a 'stateCodec()'"))
        func open() async throws -> ReduxStoreBase<Transfer, Bank> {
            try await ReduxStoreBase(
                recovering: Journal<Transfer>(directory: folder, codec: .codable(version: 1), durability: .process),
                initialState: Bank(),
                reducer: BankJournal.reducer,
                snapshots: .every(actions: 1_000, by: .codable(version: 1))
            )
        }
        var store = try await open()
        for number in 1...5 as ClosedRange<UInt64> {
            try await store.commit(.failed, producer: "p", number: number)
        }
        let locked = try run(BankJournal.self, "snapshot", folder)
        #expect(locked.code == 1)
        #expect(locked.text.contains("Another writer has the journal"))
        _ = await store.shutdown()
        #expect(try run(BankJournal.self, "snapshot", folder).text.hasPrefix("snapshot at 105, "))
        store = try await open()
        #expect(store.recovery?.snapshot == 105)
        #expect(store.recovery?.actions == 0)
        #expect(store.state.failures == 5)
        #expect(await store.lastNumber(of: "p") == 5)
        #expect(try await store.commit(.failed, producer: "p", number: 5) == .duplicate(mark: 5, durability: .process))
        _ = await store.shutdown()
    }

    @Test("replay prints one hash, with and without snapshots, and compares it")
    func replay() async throws {
        try await write(Self.moves)
        let hash = try CanonicalHash(of: Bank(cents: (1...100).reduce(0, +) - 75, failures: 0)).description
        #expect(try run(BankJournal.self, "replay", folder) == (0, "\(hash) after 100 actions\n"))
        #expect(try run(BankJournal.self, "replay", folder, "--snapshots").text.hasPrefix("\(hash) after 100 actions"))
        #expect(try run(BankJournal.self, "replay", folder, "--expect-hash", hash).code == 0)
        let other = try run(ChangedJournal.self, "replay", folder, "--expect-hash", hash)
        #expect(other.code == 1)
        #expect(other.text.contains("not \(hash): the reducers have changed"))
        #expect(try run(BankJournal.self, "replay", folder, "--expect-hash", "xyz").code == 64)
        let late = try run(BankJournal.self, "replay", folder, "--to", "101")
        #expect(late.code == 1)
        #expect(late.text.contains("ends at action 100, before 101. Give --to 100 or less"))
    }

    @Test("stat counts kinds, and works for the journals of other programs")
    func stat() async throws {
        try await write(Self.moves + [.failed])
        for found in [try run(BankJournal.self, "stat", folder), try run(PlainJournal.self, "stat", folder)] {
            #expect(found.code == 0)
            #expect(found.text.contains("actions     1 to 101\n"))
            #expect(found.text.contains("kind        moved  100\n"))
            #expect(found.text.contains("kind        failed  1\n"))
        }
    }

    @Test("tail prints the last actions")
    func tail() async throws {
        try await write(Self.moves)
        let found = try run(BankJournal.self, "tail", folder, "-n", "2", "--no-follow")
        #expect(found.code == 0)
        #expect(found.text.split(separator: "\n").map { $0.prefix(3) } == ["99 ", "100"])
        #expect(try run(BankJournal.self, "tail", folder, "-n", "0", "--no-follow").text == "")
        #expect(
            try run(BankJournal.self, "tail", folder, "-n", "1000", "--no-follow").text.split(separator: "\n").count
                == 100
        )
    }

    @Test(
        "a negative number is an invalid value, not an option",
        arguments: [
            ["tail", "--lines", "-1"], ["tail", "-n", "-1"], ["export", "--from", "-1"], ["replay", "--to", "-1"],
        ]
    )
    func negative(arguments: [String]) {
        do {
            _ = try JournalCommand<BankJournal>.parseAsRoot(arguments + [folder])
            Issue.record("it was taken")
        } catch {
            let text = JournalCommand<BankJournal>.message(for: error)
            #expect(text.contains("'-1'") && text.contains("It must be a whole number, 0 or more."), "\(text)")
        }
    }

    @Test("a folder without a journal is an error that says so")
    func noJournal() throws {
        for command in [["stat"], ["tail", "--no-follow"], ["verify"], ["export"], ["replay"], ["snapshot"]] {
            let found = try run(BankJournal.self, command + [folder])
            #expect(found.code == ExitCode.failure.rawValue)
            #expect(found.text.contains("there is no journal '\(folder)'"))
        }
        #expect(!FileManager.default.fileExists(atPath: folder), "a command makes no folder")
    }
}
