// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceJournal
import MillraceRecords
import Testing

@testable import MillraceJournalCommand

/// The commands for the folder of a sharded journal.
@Suite final class ShardedJournalTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)")
        .path
    private let shards = 3

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Shards whose first states differ.
    enum Branches: JournalModel {
        static func codec() throws -> any ActionCodec<Transfer> { try BankJournal.codec() }
        static func stateCodec() throws -> (any ActionCodec<Bank>)? { try BankJournal.stateCodec() }
        static var initialState: Bank { Bank() }
        static func initialState(ofShard shard: Int) -> Bank { Bank(cents: 1_000 * shard) }
        static var reducer: Reducer<Transfer, Bank> { BankJournal.reducer }
        static var invariants: [JournalInvariant<Bank>] { [JournalInvariant("not below zero") { $0.cents >= 0 }] }
    }

    /// Dispatches 1 to 30 cents, by the rest modulo 10, and returns the states of the shards.
    private func write() async throws -> [Bank] {
        let journal = try ShardedJournal<Transfer>(
            directory: folder,
            shards: shards,
            codec: .codable(version: 1),
            durability: .process
        )
        let store = try await ShardedStore(
            recovering: journal,
            by: { action in if case .moved(let cents) = action { cents % 10 } else { 0 } },
            initialState: { Branches.initialState(ofShard: $0) },
            reducer: Branches.reducer,
            middleware: { _ in IdentityMiddleware<Transfer, Transfer, Bank>() }
        )
        for cents in 1...30 { store.dispatch(.moved(cents: cents)) }
        await store.drain()
        let states = store.shards.map(\.state)
        _ = await store.shutdown()
        return states
    }

    private func folder(of shard: Int) -> String { "\(folder)/shard-\(shard)" }

    @Test("replay prints the hash of each shard, which begins with its own state")
    func replay() async throws {
        let states = try await write()
        #expect(Set(states.map(\.cents)).count == shards, "the states differ: \(states)")
        let found = try run(Branches.self, "replay", folder)
        #expect(found.code == 0)
        for (shard, state) in states.enumerated() {
            let hash = try CanonicalHash(of: state)
            #expect(found.text.contains("shard \(shard):\n\(hash) after "), "\(found.text)")
            let one = try run(Branches.self, "replay", folder(of: shard), "--expect-hash", "\(hash)")
            #expect(one.code == 0, "\(one.text)")
        }
        // A link to a shard is the shard.
        let link = "\(folder)-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder(of: 1))
        defer { try? FileManager.default.removeItem(atPath: link) }
        let linked = try run(
            Branches.self,
            "replay",
            "\(link)/",
            "--expect-hash",
            "\(try CanonicalHash(of: states[1]))"
        )
        #expect(linked.code == 0, "\(linked.text)")
    }

    @Test("stat and verify print each shard")
    func statAndVerify() async throws {
        _ = try await write()
        for command in ["stat", "verify"] {
            let found = try run(Branches.self, command, folder)
            #expect(found.code == 0, "\(found.text)")
            for shard in 0..<shards { #expect(found.text.contains("shard \(shard):\n"), "\(found.text)") }
        }
    }

    @Test("a damaged shard is named, and the others are still verified")
    func damagedShard() async throws {
        _ = try await write()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder(of: 1)).filter { $0.hasSuffix(".mrj") }
        let file = URL(fileURLWithPath: "\(folder(of: 1))/\(try #require(names.first))")
        var bytes = try Data(contentsOf: file)
        bytes[20] ^= 1
        try bytes.write(to: file)
        let found = try run(Branches.self, "verify", folder)
        #expect(found.code == 1)
        #expect(found.text.contains("\(folder(of: 1)): "), "\(found.text)")
        #expect(found.text.components(separatedBy: "state: ").count == shards, "\(found.text)")
    }

    @Test("bisect searches each shard")
    func bisect() async throws {
        _ = try await write()
        let found = try run(Branches.self, "bisect", folder, "--invariant", "not below zero")
        #expect(found.code == 0)
        #expect(found.text.components(separatedBy: "breaks the rule").count == shards + 1, "\(found.text)")
    }

    @Test("snapshot writes one for each shard that has actions")
    func snapshot() async throws {
        let states = try await write()
        let found = try run(Branches.self, "snapshot", folder)
        #expect(found.code == 0, "\(found.text)")
        for (shard, state) in states.enumerated() {
            let read = try JournalAccess<Branches>(folder(of: shard))
            let last = try #require(try read.snapshots().whole.last)
            #expect(try read.state(ofSnapshot: last)?.cents == state.cents)
        }
    }

    @Test("commands about one action ask for the folder of a shard")
    func oneAction() async throws {
        _ = try await write()
        for arguments in [["tail", folder], ["show", folder, "1"], ["export", folder]] {
            let found = try run(Branches.self, arguments)
            #expect(found.code == 1)
            #expect(
                found.text.contains(
                    "holds the journals of 3 shards. Give the folder of one, such as '\(folder)/shard-0'"
                ),
                "\(found.text)"
            )
        }
        let hash = try run(Branches.self, "replay", folder, "--expect-hash", "0123456789abcdef")
        #expect(hash.code == 1 && hash.text.contains("Give the folder of one"), "\(hash.text)")
    }

    @Test("a shard without actions gets no snapshot, which is no error")
    func emptyShard() async throws {
        let journal = try ShardedJournal<Transfer>(
            directory: folder,
            shards: shards,
            codec: .codable(version: 1),
            durability: .process
        )
        let store = try await ShardedStore(
            recovering: journal,
            by: { _ in 0 },
            initialState: { Branches.initialState(ofShard: $0) },
            reducer: Branches.reducer,
            middleware: { _ in IdentityMiddleware<Transfer, Transfer, Bank>() }
        )
        store.dispatch(.moved(cents: 1))
        _ = await store.shutdown()
        let found = try run(Branches.self, "snapshot", folder)
        #expect(found.code == 0 && found.text.components(separatedBy: "no action yet").count == shards, "\(found.text)")
        #expect(found.text.components(separatedBy: "snapshot at 1, ").count == 2, "\(found.text)")
        let empty = try #require((0..<shards).first { !found.text.contains("shard \($0):\nsnapshot") })
        #expect(try run(Branches.self, "snapshot", folder(of: empty)).code == 1)
    }

    @Test("a file 'manifest' beside segments is nothing of Millrace")
    func otherManifest() async throws {
        _ = try await write()
        for path in ["\(folder)/manifest", "\(folder(of: 1))/manifest"] {
            try "{}".write(toFile: path, atomically: false, encoding: .utf8)
        }
        #expect(try run(Branches.self, "stat", folder(of: 1)).code == 0)
    }

    @Test(
        "a manifest that is none is an error that names it",
        arguments: ["", "millrace-shards 1\nshards 0\nhash x\n"]
    )
    func badManifest(_ text: String) async throws {
        _ = try await write()
        try text.write(toFile: "\(folder)/manifest", atomically: false, encoding: .utf8)
        for path in [folder, folder(of: 1)] {
            let found = try run(Branches.self, "replay", path)
            #expect(found.code == 1)
            #expect(found.text.contains("it is not the manifest of a sharded journal"), "\(found.text)")
        }
    }
}
