// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceJournal
import MillraceRecords
import Testing

@testable import MillraceJournalCommand

/// The commands for a journal that has actions of a kind that the program no longer knows.
@Suite final class UnknownKindTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)")
        .path

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// An older version of the program, which had one kind more.
    private enum Older {
        enum Transfer: Codable, Sendable {
            case moved(cents: Int)
            case refunded(cents: Int)
        }
    }

    private enum Skipping: JournalModel {
        static func codec() throws -> any ActionCodec<Transfer> { try BankJournal.codec() }
        static func stateCodec() throws -> (any ActionCodec<Bank>)? { try BankJournal.stateCodec() }
        static var initialState: Bank { Bank() }
        static var reducer: Reducer<Transfer, Bank> { BankJournal.reducer }
        static var unknownKinds: UnknownKinds { .skip }
        static var invariants: [JournalInvariant<Bank>] { [JournalInvariant("not below zero") { $0.cents >= 0 }] }
    }

    private enum Parking: JournalModel {
        @TaskLocal static var path = ""

        static func codec() throws -> any ActionCodec<Transfer> { try BankJournal.codec() }
        static func stateCodec() throws -> (any ActionCodec<Bank>)? { try BankJournal.stateCodec() }
        static var initialState: Bank { Bank() }
        static var reducer: Reducer<Transfer, Bank> { BankJournal.reducer }
        static var unknownKinds: UnknownKinds { .park(path: path) }
    }

    /// Writes 1 to 20 cents; every fifth action is a refund.
    private func write() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let journal = try Journal(
            directory: "\(folder)/journal",
            codec: CodableCodec<Older.Transfer>(version: 1),
            durability: .process
        )
        let store = try await ReduxStoreBase(
            recovering: journal,
            initialState: 0,
            reducer: .reduce { (_: Older.Transfer, count: inout Int) in count += 1 }
        )
        for cents in 1...20 {
            store.dispatch(cents.isMultiple(of: 5) ? .refunded(cents: cents) : .moved(cents: cents))
        }
        _ = await store.shutdown()
    }

    private let left = ": left out 4 actions of kinds that the codec does not know\n"
    private let sum = (1...20).filter { !$0.isMultiple(of: 5) }.reduce(0, +)

    @Test("by default, an action of an unknown kind is an error that says what to do")
    func fails() async throws {
        try await write()
        for command in ["export", "replay", "verify"] {
            let found = try run(BankJournal.self, command, "\(folder)/journal")
            #expect(found.code == 1)
            #expect(found.text.contains("action 5") && found.text.contains("of a kind 'refunded'"), "\(found.text)")
        }
    }

    @Test("with .skip, commands go on, and tell how many actions they left out")
    func skips() async throws {
        try await write()
        let journal = "\(folder)/journal"
        let exported = try run(Skipping.self, "export", journal)
        #expect(exported.code == 0 && exported.text.hasSuffix(left), "\(exported.text)")
        #expect(exported.text.components(separatedBy: "\"sequence\"").count == 17)
        let hash = try CanonicalHash(of: Bank(cents: sum))
        for command in [["replay", journal, "--expect-hash", "\(hash)"], ["verify", journal]] {
            let found = try run(Skipping.self, command)
            #expect(found.code == 0 && found.text.contains("\(hash) after 20 actions"), "\(found.text)")
            #expect(found.text.contains("\(journal)\(left)"), "\(found.text)")
        }
        let searched = try run(Skipping.self, ["bisect", journal, "--invariant", "not below zero"])
        #expect(searched.code == 0 && searched.text.hasSuffix(left), "\(searched.text)")
        let tail = try run(Skipping.self, ["tail", journal, "-n", "6", "--state", "--no-follow"])
        #expect(tail.text.hasSuffix(left) && tail.text.contains("cents: \(sum)"), "\(tail.text)")
        // Standard output is for programs.
        let apart = try runApart(Skipping.self, ["export", journal])
        #expect(apart.errors == "\(journal)\(left)")
        #expect(apart.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
        let none = try run(Skipping.self, ["export", journal, "--from", "6", "--to", "9"])
        #expect(none.code == 0 && !none.text.contains("left out"), "\(none.text)")
    }

    @Test("show says that the kind is unknown")
    func show() async throws {
        try await write()
        let found = try run(Skipping.self, "show", "\(folder)/journal", "5")
        #expect(found.code == 1 && found.text.contains("the action 5 is of a kind that the codec does not know"))
        #expect(try run(Skipping.self, "show", "\(folder)/journal", "6").code == 0)
    }

    @Test("with .park, only the command that writes a snapshot writes the file")
    func parks() async throws {
        try await write()
        let parked = "\(folder)/parked"
        try Parking.$path.withValue(parked) {
            let found = try run(Parking.self, "replay", "\(folder)/journal")
            #expect(found.code == 0 && found.text.hasSuffix(left), "\(found.text)")
            #expect(!FileManager.default.fileExists(atPath: parked))
            let written = try run(Parking.self, "snapshot", "\(folder)/journal")
            #expect(written.code == 0 && written.text.contains(left), "\(written.text)")
            var reader = try FrameReader(path: parked)
            var sequences: [UInt64] = []
            while let record = try reader.next() { sequences.append(record.head.sequence) }
            #expect(sequences == [5, 10, 15, 20])
        }
    }

    @Test("a shard parks in a file of its own")
    func parksShard() async throws {
        try await write()
        let around = "\(folder)/shards"
        try FileManager.default.createDirectory(atPath: around, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: "\(folder)/journal", toPath: "\(around)/shard-0")
        try "millrace-shards 1\nshards 1\nhash x\n".write(
            toFile: "\(around)/manifest",
            atomically: false,
            encoding: .utf8
        )
        let parked = "\(folder)/parked"
        try Parking.$path.withValue(parked) {
            let written = try run(Parking.self, "snapshot", around)
            #expect(written.code == 0 && written.text.contains(left), "\(written.text)")
        }
        #expect(!FileManager.default.fileExists(atPath: parked))
        #expect(FileManager.default.fileExists(atPath: "\(parked).shard-0"))
    }

    @Test("verify compares a snapshot that ends with an action that is left out")
    func verifyComparesSnapshots() async throws {
        try await write()
        let journal = "\(folder)/journal"
        #expect(try run(Skipping.self, "snapshot", journal).code == 0)
        let same = try run(Skipping.self, "verify", journal)
        #expect(same.code == 0 && same.text.contains("1 snapshots hold it"), "\(same.text)")
        let other = try run(OtherReducer.self, "verify", journal)
        #expect(other.code == 1 && other.text.contains("Actions were left out"), "\(other.text)")
        #expect(!other.text.contains("Move the snapshots away"))
    }

    private enum OtherReducer: JournalModel {
        static func codec() throws -> any ActionCodec<Transfer> { try BankJournal.codec() }
        static func stateCodec() throws -> (any ActionCodec<Bank>)? { try BankJournal.stateCodec() }
        static var initialState: Bank { Bank() }
        static var reducer: Reducer<Transfer, Bank> { ChangedJournal.reducer }
        static var unknownKinds: UnknownKinds { .skip }
    }

    @Test("a session is read by the same policy")
    func session() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let actions: [Older.Transfer] = [.moved(cents: 3), .refunded(cents: 1), .moved(cents: 4)]
        let path = "\(folder)/session.mrs"
        try SessionFile.write(
            RecordedSession(
                initialState: Bank(),
                actions: actions.enumerated().map { index, action in
                    RecordedAction(
                        head: RecordHead(sequence: UInt64(index + 1), time: .now),
                        kind: "",
                        action: action
                    )
                }
            ),
            to: path,
            actions: CodableCodec<Older.Transfer>(version: 1),
            states: CodableCodec<Bank>(version: 1)
        )
        #expect(try run(BankJournal.self, "export", path).code == 1)
        let found = try run(Skipping.self, "export", path)
        #expect(found.code == 0 && found.text.hasSuffix("left out 1 action of kinds that the codec does not know\n"))
        let verified = try run(Skipping.self, "verify", path)
        let hash = try CanonicalHash(of: Bank(cents: 7))
        #expect(verified.code == 0 && verified.text.contains("\(hash)"), "\(verified.text)")
        #expect(verified.text.contains("some actions were left out"), "\(verified.text)")
    }
}
