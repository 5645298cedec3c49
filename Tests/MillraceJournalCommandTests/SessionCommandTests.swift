// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceRecords
import Testing

@testable import MillraceJournalCommand

/// The commands with the file of a recorded session in place of a journal's folder.
@Suite final class SessionCommandTests {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("session-\(UUID().uuidString).mrs")
        .path

    deinit { try? FileManager.default.removeItem(atPath: file) }

    /// Writes the actions 101 to 150: 1 cent each, but for 120 and 121. The session begins with 1,000 cents.
    private func write(isFinished: Bool = true, last: UInt64 = 150) throws {
        let start = Bank(cents: 1_000)
        var writer = try SessionWriter(
            path: file,
            initialState: start,
            firstSequence: 101,
            actions: CodableCodec<Transfer>(version: 1),
            states: CodableCodec<Bank>(version: 1)
        )
        var state = start
        for sequence in 101...last {
            let action = Transfer.moved(cents: sequence == 120 ? -5_000 : sequence == 121 ? 5_000 : 1)
            let time = ActionTime(nanosecondsSince1970: Int64(sequence) * 1_000_000_000)
            try writer.append(action, RecordHead(sequence: sequence, time: time, source: .here()))
            BankJournal.reducer.apply(action, at: time, to: &state)
        }
        if isFinished { try writer.finish(finalHash: CanonicalHash(of: state)) } else { try writer.flush(sync: true) }
    }

    @Test("stat says what a session holds, and whether its writer has finished it")
    func stat() throws {
        try write()
        let whole = try run(BankJournal.self, "stat", file)
        #expect(whole.code == 0)
        #expect(whole.text.contains("actions     101 to 150\n"))
        #expect(whole.text.contains("first       1970-01-01T00:01:41.000000000Z\n"))
        #expect(whole.text.contains("end         finished\n"))
        #expect(whole.text.contains("kind        moved  50\n"))
        try FileManager.default.removeItem(atPath: file)
        try write(isFinished: false)
        let killed = try run(BankJournal.self, "stat", file)
        #expect(killed.code == 0)
        #expect(killed.text.contains("actions     101 to 150\n"))
        #expect(killed.text.contains("end         not finished"))
    }

    @Test("after a crash, tail shows the last actions with the state after each")
    func tail() throws {
        try write(isFinished: false, last: 121)
        let found = try run(BankJournal.self, "tail", file, "--lines", "3", "--state")
        #expect(found.code == 0)
        let lines = found.text.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines.first?.hasPrefix("119  ") == true && lines.first?.hasSuffix("moved(cents: 1)") == true)
        #expect(lines[1].contains("cents: 1019"))
        #expect(lines[3].contains("cents: -3981"))
        #expect(lines[5].contains("cents: 1019"))
        #expect(try run(BankJournal.self, "tail", file, "--lines", "2").text.split(separator: "\n").count == 2)
    }

    @Test("show prints one action and the state after it")
    func show() throws {
        try write()
        let found = try run(BankJournal.self, "show", file, "120", "--state")
        #expect(found.code == 0)
        #expect(found.text.contains("sequence  120\nkind      moved\n"))
        #expect(found.text.contains("SessionCommandTests.swift"))
        #expect(found.text.contains("cents: -3981"))
        let missing = try run(BankJournal.self, "show", file, "100")
        #expect(missing.code == 1)
        #expect(missing.text.contains("holds the actions 101 to 150, not 100. Give one of these"))
    }

    @Test("replay, verify and bisect fold from the state that the session begins with")
    func fold() throws {
        try write()
        let hash = try CanonicalHash(of: Bank(cents: 1_048)).description
        let replayed = try run(BankJournal.self, "replay", file, "--expect-hash", hash)
        #expect(replayed == (0, "\(hash) after 150 actions (from the state after action 100)\n"))
        let part = try CanonicalHash(of: Bank(cents: 1_010)).description
        #expect(try run(BankJournal.self, "replay", file, "--to", "110").text.hasPrefix(part))
        #expect(try run(BankJournal.self, "verify", file, "--only-hash", "110") == (0, "\(part)\n"))
        let early = try run(BankJournal.self, "replay", file, "--to", "50")
        #expect(early.code == 1)
        #expect(early.text.contains("begins with the state after action 100, not 50. Give 100 or more"))
        let verified = try run(BankJournal.self, "verify", file)
        #expect(verified == (0, "file: 101 to 150, finished\nstate: \(hash) after 50 actions, as recorded\n"))
        let changed = try run(ChangedJournal.self, "verify", file)
        #expect(changed.code == 1)
        #expect(changed.text.contains("\(hash)"))
        let broken = try run(BankJournal.self, "bisect", file, "--invariant", "not below zero")
        #expect(broken.code == 1)
        #expect(broken.text.contains("after action 120 the state breaks the rule 'not below zero'"))
        #expect(try run(BankJournal.self, "bisect", file, "--invariant", "no failure").code == 0)
    }

    @Test("export writes the actions that are asked for")
    func export() throws {
        try write()
        let found = try run(BankJournal.self, "export", file, "--from", "149")
        #expect(found.code == 0)
        let lines = try found.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["sequence"] as? Int } == [149, 150])
    }

    @Test("a damaged session, a model without a state codec and a snapshot are refused with what to do")
    func refused() throws {
        try write()
        let plain = try run(PlainJournal.self, "tail", file)
        #expect(plain.code == 1)
        #expect(plain.text.contains("give its journal model a 'stateCodec()'"))
        let snapshot = try run(BankJournal.self, "snapshot", file)
        #expect(snapshot.code == 1)
        #expect(snapshot.text.contains("is a recorded session. Only a journal has snapshots"))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        let damaged = try run(BankJournal.self, "verify", file)
        #expect(damaged.code == 1)
        #expect(damaged.text.contains(file) && damaged.text.contains(" byte "))
    }
}
