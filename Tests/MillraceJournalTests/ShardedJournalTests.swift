// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceRecords
import TestSupport
import Testing

@testable import MillraceJournal

/// A payment to an account, which passes it on to another account.
enum Transfer: Codable, Sendable, Equatable {
    case paid(account: String, cents: Int)
    case passed(account: String, cents: Int)

    var account: String {
        switch self {
        case .paid(let account, _), .passed(let account, _): account
        }
    }
}

@Suite("A sharded store with a journal", .timeLimit(.minutes(5)))
struct ShardedJournalTests {
    typealias Store = ShardedStore<Transfer, [String: Int], String>

    private enum Symbol: String, StableKey {
        case apple = "AAPL"
    }

    @Test("hashes of keys are the same for ever")
    func golden() {
        #expect(
            0.stableHash == 0xB903_4AD3_7056_F5FB && 1.stableHash == 0x0D7C_EA42_B505_7E4C
                && 7.stableHash == 0xD8C9_BB07_5C49_3102 && (-1).stableHash == 0x3EC1_C4D4_7DF1_C5E6
        )
        #expect(UInt8(7).stableHash == 0xD8C9_BB07_5C49_3102 && Int64(-1).stableHash == 0x3EC1_C4D4_7DF1_C5E6)
        #expect(
            "".stableHash == 0xB903_4AD3_7056_F5FB && "AAPL".stableHash == 0xA5A1_A0C6_6A3A_4045
                && "Zürich".stableHash == 0x552F_7D8A_3B2E_3C56
        )
        #expect(Symbol.apple.stableHash == 0xA5A1_A0C6_6A3A_4045)
        #expect(([1, 2, 3] as [UInt8]).stableHash == 0x006E_F4CD_D041_B73C)
        let bytes = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) as uuid_t
        #expect(UUID(uuid: bytes).stableHash == 0xF110_B958_DA43_F7E6)
        // They spread: of 1,000 neighbours each of 8 shards has its share.
        for keys in [(0..<1_000).map(\.stableHash), (0..<1_000).map { "account-\($0)".stableHash }] {
            let counts = keys.reduce(into: [Int](repeating: 0, count: 8)) { $0[ShardKey.scale($1, to: 8)] += 1 }
            #expect(counts.allSatisfy { (90...160).contains($0) })
        }
    }

    private func open(_ folder: TemporaryFolder, shards: Int = 4) async throws -> Store {
        try await Store(
            recovering: ShardedJournal<Transfer>(
                directory: folder.path + "/accounts",
                shards: shards,
                codec: .codable(version: 1),
                durability: .process,
                segmentBytes: 65_536
            ),
            by: { $0.account },
            initialState: { _ in [:] },
            reducer: .reduce { transfer, accounts in
                switch transfer {
                case .paid(let account, let cents), .passed(let account, let cents):
                    accounts[account, default: 0] += cents
                }
            },
            middleware: { _ in Passing() },
            publication: .onDemand,
            snapshots: .every(actions: 20, by: .codable(version: 1))
        )
    }

    @Test("after a restart each key is in its shard, with what it had, the actions between shards included")
    func recovers() async throws {
        let folder = TemporaryFolder()
        for round in 1...3 {
            let store = try await open(folder)
            for number in 0..<100 { store.dispatch(.paid(account: "a\(number % 25)", cents: 10)) }
            await store.drain()
            await store.drain()
            try await store.journaled()
            for number in 0..<25 {
                #expect(store.state(for: "a\(number)")["a\(number)"] == round * 40)
                #expect(store.state(for: "to-a\(number)")["to-a\(number)"] == round * 40)
            }
            #expect(store.metrics.reduced == 200)
            let reports = await store.shutdown()
            #expect(!reports.contains { !$0.isComplete })
        }
        // What a shard has dispatched to another one has its cause there.
        let journal = try ShardedJournal<Transfer>(
            directory: folder.path + "/accounts",
            shards: 4,
            codec: .codable(version: 1),
            durability: .process,
            segmentBytes: 65_536
        )
        var passed = 0
        for (number, shard) in journal.journals.enumerated() {
            for try await entry in shard.entries(from: 1) {
                #expect(ShardKey.scale(entry.action.account.stableHash, to: 4) == number)
                guard case .passed(let account, _) = entry.action else { continue }
                passed += 1
                let origin = ShardKey.scale(String(account.dropFirst(3)).stableHash, to: 4)
                #expect(entry.head.cause.parent > 0 && Int(entry.head.cause.parentShard) == origin)
            }
        }
        #expect(passed == 300)
    }

    @Test("the figures of each shard's journal are those of its own actions")
    func figures() async throws {
        let folder = TemporaryFolder()
        let journal = try ShardedJournal<Transfer>(
            directory: folder.path + "/accounts",
            shards: 3,
            codec: .codable(version: 1),
            durability: .process
        )
        let store = try await Store(
            recovering: journal,
            by: { $0.account },
            initialState: { _ in [:] },
            reducer: .reduce { transfer, accounts in accounts[transfer.account, default: 0] += 1 },
            middleware: { _ in IdentityMiddleware<Transfer, Transfer, [String: Int]>() }
        )
        for number in 0..<90 { store.dispatch(.paid(account: "\(number % 9)", cents: 1)) }
        await store.drain()
        _ = await store.shutdown()
        #expect(journal.metrics.map(\.recorded) == store.states.map { UInt64($0.values.reduce(0, +)) })
        #expect(journal.metrics.map(\.recorded).reduce(0, +) == 90)
    }

    @Test("a producer numbers its actions in each shard")
    func numbers() async throws {
        let folder = TemporaryFolder()
        var store = try await open(folder)
        var next = [UInt64](repeating: 1, count: 4)
        let accounts = (0..<20).map { "a\($0)" }
        for account in accounts {
            let action = Transfer.paid(account: account, cents: 1)
            let shard = store.shardNumber(of: action)
            try await store.commit(action, producer: "p", numberInShard: next[shard])
            next[shard] += 1
        }
        #expect(await store.lastNumbers(of: "p") == next.map { $0 - 1 })
        _ = await store.shutdown()
        await #expect(throws: CommitError.notAccepted) {
            try await store.commit(.paid(account: "a0", cents: 1), producer: "p", numberInShard: 9)
        }
        store = try await open(folder)
        #expect(await store.lastNumbers(of: "p") == next.map { $0 - 1 })
        let again = Transfer.paid(account: "a0", cents: 1)
        let last = next[store.shardNumber(of: again)] - 1
        #expect(
            try await store.commit(again, producer: "p", numberInShard: last)
                == .duplicate(mark: last, durability: .process)
        )
        store.dispatch(again, producer: "p", numberInShard: last + 1)
        try await store.journaled()
        #expect(store.state(for: "a0")["a0"] == 2)
        _ = await store.shutdown()
    }

    @Test("another number of shards, and a manifest that is damaged or missing, are refused")
    func refused() async throws {
        let folder = TemporaryFolder()
        _ = await (try await open(folder)).shutdown()
        let path = folder.path + "/accounts"
        await #expect(
            throws: JournalError.otherShards(
                path: path,
                found: "4 shards by the hash 'fnv1a64-fmix64'",
                expected: "8 shards by the hash 'fnv1a64-fmix64'"
            )
        ) { _ = try await open(folder, shards: 8) }
        let manifest = path + "/manifest"
        let text = try String(contentsOfFile: manifest, encoding: .utf8)
        for damaged in [text + "x", "shards 4", text.replacingOccurrences(of: "fnv1a64", with: "sha")] {
            try damaged.write(toFile: manifest, atomically: false, encoding: .utf8)
            await #expect(throws: JournalError.self) { _ = try await open(folder) }
        }
        try FileManager.default.removeItem(atPath: manifest)
        await #expect(throws: JournalError.self) { _ = try await open(folder) }
        try text.write(toFile: manifest, atomically: false, encoding: .utf8)
        _ = await (try await open(folder)).shutdown()
    }

    @Test("a shard that has lost its files is refused: it does not begin anew")
    func lostShard() async throws {
        let folder = TemporaryFolder()
        let first = try await open(folder)
        for number in 0..<40 { first.dispatch(.paid(account: "a\(number)", cents: 1)) }
        _ = await first.shutdown()
        let shard = folder.path + "/accounts/shard-2"
        let aside = folder.path + "/aside"
        try FileManager.default.moveItem(atPath: shard, toPath: aside)
        await #expect(throws: JournalError.self) { _ = try await open(folder) }
        // An empty folder, such as that of a disk that is not mounted.
        try FileManager.default.createDirectory(atPath: shard, withIntermediateDirectories: true)
        await #expect(throws: JournalError.self) { _ = try await open(folder) }
        try FileManager.default.removeItem(atPath: shard)
        try FileManager.default.moveItem(atPath: aside, toPath: shard)
        let again = try await open(folder)
        #expect(again.states.reduce(0) { $0 + $1.values.reduce(0, +) } == 80)
        _ = await again.shutdown()
    }

    @Test("if one shard cannot be recovered, the others give their locks back")
    func oneFails() async throws {
        let folder = TemporaryFolder()
        let first = try await open(folder)
        for number in 0..<40 { first.dispatch(.paid(account: "a\(number)", cents: 1)) }
        _ = await first.shutdown()
        let shard = folder.path + "/accounts/shard-2"
        let aside = folder.path + "/aside"
        try FileManager.default.moveItem(atPath: shard, toPath: aside)
        try Data("no folder".utf8).write(to: URL(fileURLWithPath: shard))
        await #expect(throws: JournalError.self) { _ = try await open(folder) }
        try FileManager.default.removeItem(atPath: shard)
        try FileManager.default.moveItem(atPath: aside, toPath: shard)
        // A store that has one of the journals keeps the sharded store out.
        let other = try await ReduxStoreBase(
            recovering: Journal<Transfer>(
                directory: shard,
                codec: .codable(version: 1),
                durability: .process,
                segmentBytes: 65_536
            ),
            initialState: 0,
            reducer: Reducer<Transfer, Int>.reduce { _, count in count += 1 }
        )
        await #expect(throws: JournalError.locked(path: shard, process: getpid())) { _ = try await open(folder) }
        _ = await other.shutdown()
        let again = try await open(folder)
        #expect(again.states.reduce(0) { $0 + $1.values.reduce(0, +) } == 80)
        _ = await again.shutdown()
    }
}

/// Passes each payment on, to an account that is mostly in another shard.
private struct Passing: MiddlewareProtocol {
    func handle(action: Transfer, from: ActionSource, state: @escaping GetState<[String: Int]>) -> IO<Transfer> {
        guard case .paid(let account, let cents) = action else { return .pure() }
        return IO { output in output.dispatch(.passed(account: "to-" + account, cents: cents)) }
    }
}
