// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceEffects
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

@testable import MillraceJournal

/// A sharded store whose effects answer to other shards, each shard with a disk of its own. `MILLRACE_JOURNAL_CUTS` is the
/// number of schedules of power cuts; 30 by default, 6 with a sanitizer.
@Suite("Effects of shards that had not ended begin again", .timeLimit(.minutes(20)))
struct ShardedRestartTests {
    typealias Store = ShardedStore<Errand, Errands, Int>

    private static let schedules =
        ProcessInfo.processInfo.environment["MILLRACE_JOURNAL_CUTS"].flatMap(UInt64.init) ?? (isSanitized ? 6 : 30)

    /// A receipt has another key than its order, and mostly another shard.
    private static func key(of errand: Errand) -> Int {
        switch errand {
        case .order(let number), .withdraw(let number): number
        case .receipt(let number): number + 1_000_000
        }
    }

    private static func shard(of errand: Errand, _ count: Int) -> Int {
        ShardKey.scale(key(of: errand).stableHash, to: count)
    }

    private let folder = TemporaryFolder()
    private let disks: [PowerCutDisk]
    private let gates: [SyncGate]

    init() {
        disks = (1...2).map { PowerCutDisk(seed: $0) }
        gates = disks.map { _ in SyncGate() }
    }

    private func journal(
        _ disk: PowerCutDisk,
        _ gate: SyncGate? = nil,
        _ reads: FailingReads? = nil
    ) throws -> Journal<Errand> {
        SharedFolder(disk, gate: gate, reads: reads).journal(try BitwiseCodec(version: 1))
    }

    private func open(
        _ journals: [Journal<Errand>],
        _ effects: (Int) -> sending SimpleEffectMiddleware<Errand, Errands>,
        engine: (Int) -> StoreEngine = { .thread(name: "shard-\($0)") },
        held: HeldWorkPolicy = .held
    ) async throws -> Store {
        try await Store(
            recovering: ShardedJournal(folder.path, journals),
            by: { Self.key(of: $0) },
            initialState: { _ in Errands() },
            reducer: Errands.reducer,
            middleware: effects,
            engine: engine,
            snapshots: .every(actions: 20, removesSegments: true, by: .codable(version: 1)),
            held: held,
            effects: .restart
        )
    }

    /// The first order that goes to this shard and whose receipt goes to the other one.
    private func order(inShard shard: Int, after first: Int = 0) -> Int {
        (first + 1...1_000).first {
            Self.shard(of: .order($0), 2) == shard && Self.shard(of: .receipt($0), 2) != shard
        } ?? 0
    }

    @Test("the end of an effect is noted when its answer to another shard is durable, not before")
    func waitsForTheOtherShard() async throws {
        let begun = Shared(0)
        let effects = SimpleEffectMiddleware<Errand, Errands>.onAction { errand, _, _ in
            guard case .order(let number) = errand else { return .doNothing }
            return .task { _ in
                begun.update { $0 += 1 }
                return .receipt(number)
            }
        }
        let journals = try zip(disks, gates).map { try journal($0, $1) }
        let store = try await open(journals) { _ in effects }
        gates[1].close()
        let number = order(inShard: 0)
        store.dispatch(.order(number))
        #expect(await eventually { store.shards[1].state.receipts[number] == 1 })
        #expect(await eventually { journals[0].metrics.unfinishedEffects == 0 })
        // Frames of the first shard that could say so.
        for _ in 1...20 {
            store.dispatch(.withdraw(order(inShard: 0, after: number)))
            try await store.shards[0].journaled()
        }
        #expect(journals[0].metrics.finishedEffects == 0)
        gates[1].open()
        #expect(await eventually { (journals[0].metrics.finishedEffects ?? 0) >= 1 })
        _ = await store.shutdown()

        // Everything had ended.
        begun.value = 0
        let again = try await open(try disks.map { try journal($0) }) { _ in effects }
        #expect(again.shards.allSatisfy { $0.recovery?.handledAgain == 0 })
        await again.drain()
        _ = await again.shutdown()
        #expect(begun.value == 0)
    }

    @Test("shutdown waits until the ends are noted")
    func shutdownWaits() async throws {
        let effects = SimpleEffectMiddleware<Errand, Errands>.onAction { errand, _, _ in
            guard case .order(let number) = errand else { return .doNothing }
            return .just(.receipt(number))
        }
        let store = try await open(try zip(disks, gates).map { try journal($0, $1) }) { _ in effects }
        gates[1].close()
        let number = order(inShard: 0)
        store.dispatch(.order(number))
        #expect(await eventually { store.shards[1].state.receipts[number] == 1 })
        // A deadline that cannot pass here: at a deadline the shards close before all ends are noted, and the default of
        // 30 s can pass on a busy machine.
        let shutdown = Task { await store.shutdown(deadline: .seconds(3_600)) }
        #expect(await eventually { store.isClosed })
        // Time to end the first shard, if nothing holds it back.
        #expect(await !eventually(within: .milliseconds(200)) { store.shards[0].isClosed })
        gates[1].open()
        _ = await shutdown.value
        let again = try await open(try disks.map { try journal($0) }) { _ in effects }
        #expect(again.shards.allSatisfy { $0.recovery?.handledAgain == 0 })
        #expect(again.shards[1].state.receipts == [number: 1])
        _ = await again.shutdown()
    }

    @Test(
        "the ones that had not ended begin again in their shards, with their keys, and answer to the others",
        arguments: [
            (StoreEngine.thread(), HeldWorkPolicy.held), (.thread(), .exact), (.caller, .exact),
            (.queue(DispatchQueue(label: "restart")), .exact),
        ]
    )
    func restarts(_ engine: StoreEngine, _ held: HeldWorkPolicy) async throws {
        let keys = Shared<[Int: Set<EffectKey>]>([:])
        let mayEnd = Shared(false)
        let effects = SimpleEffectMiddleware<Errand, Errands>.onAction { errand, _, _ in
            guard case .order(let number) = errand else { return .doNothing }
            return .task { _ in
                keys.update { if let key = EffectKey.current { $0[number, default: []].insert(key) } }
                while !mayEnd.value, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
                return mayEnd.value ? .receipt(number) : nil
            }
        }
        let numbers = [order(inShard: 0), order(inShard: 1)]
        let first = try await open(
            try disks.map { try journal($0) },
            { _ in effects },
            engine: { _ in engine },
            held: held
        )
        for number in numbers { first.dispatch(.order(number)) }
        #expect(await eventually { keys.value.count == 2 })
        try await first.journaled()
        for disk in disks { disk.kill() }
        let before = keys.value
        keys.value = [:]

        let store = try await open(
            try disks.map { try journal($0) },
            { _ in effects },
            engine: { _ in engine },
            held: held
        )
        #expect(await eventually { keys.value == before })
        #expect(Set(before.values.flatMap { $0 }.map(\.journal)).count == 2, "a key names the journal of its shard")
        mayEnd.value = true
        #expect(
            await eventually { numbers.allSatisfy { number in store.states.contains { $0.receipts[number] != nil } } }
        )
        for number in numbers {
            let receipt = Self.shard(of: .receipt(number), 2)
            #expect(store.states[receipt].receipts[number] != nil, "the answer is in its own shard")
        }
        _ = await store.shutdown()
        _ = await first.shutdown()
    }

    @Test("if the recovery of one shard fails, no effect of any shard begins", arguments: [0, 1])
    func failsInOneShard(_ failing: Int) async throws {
        let begun = Shared(0)
        let effects = SimpleEffectMiddleware<Errand, Errands>.onAction { errand, _, _ in
            guard case .order = errand else { return .doNothing }
            return .task { _ in
                begun.update { $0 += 1 }
                while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
                return nil
            }
        }
        let first = try await open(try disks.map { try journal($0) }) { _ in effects }
        for shard in 0...1 { first.dispatch(.order(order(inShard: shard))) }
        #expect(await eventually { begun.value == 2 })
        try await first.journaled()
        for disk in disks { disk.kill() }
        _ = await first.shutdown()

        // Each opening that succeeds adds a segment, and so reads, to the next one: the count stays that of this one.
        let counted = FailingReads(at: .max)
        let second = try await open(
            try disks.enumerated().map { try journal($1, nil, $0 == failing ? counted : nil) }
        ) { _ in effects }
        _ = await second.shutdown()
        var failures = 0
        for number in 1...counted.passed {
            begun.value = 0
            let reads = FailingReads(at: number)
            do {
                let store = try await open(
                    try disks.enumerated().map { try journal($1, nil, $0 == failing ? reads : nil) }
                ) { _ in effects }
                #expect(await eventually { begun.value == 2 }, "read \(number)")
                _ = await store.shutdown()
            } catch let error as JournalError {
                #expect(begun.value == 0, "read \(number)")
                // The opening before has given its locks back.
                if case .locked = error { Issue.record("read \(number): \(error)") }
                failures += 1
            }
            #expect(reads.hasFailed)
        }
        #expect(failures > 0)
    }

    @Test("after any crash each effect of a recovered order runs and answers; none of a lost order")
    func atLeastOnce() async throws {
        for seed in 1...Self.schedules {
            var random = SplitMix64(seed: seed)
            let disks = (0..<2).map { PowerCutDisk(seed: seed &* 2 &+ $0) }
            let began = Shared<Set<Int>>([])
            for life in 1...4 {
                let isLast = life == 4
                // One disk fails. The other may not have synced everything by then.
                for disk in disks { disk.fault = nil }
                let failing = disks[Int(random.next() % 2)]
                if !isLast {
                    failing.fault = (failing.calls + Int.random(in: 1...150, using: &random), .cut, lasts: false)
                }
                do {
                    try await live(disks, began, &random, isLast: isLast)
                } catch is JournalError {}
                for disk in disks { disk.restart() }
                let orders = try await recovered(disks).flatMap(\.orders)
                let early = began.value.subtracting(orders)
                #expect(early.isEmpty, "seed \(seed), life \(life): effects of lost orders ran: \(early)")
            }
            let states = try await recovered(disks)
            for number in states.flatMap(\.orders) {
                let receipts = states[Self.shard(of: .receipt(number), 2)].receipts[number] ?? 0
                #expect(receipts > 0, "seed \(seed): order \(number) has no receipt")
            }
        }
    }

    /// The states without any effect. A store that handles no new action notes no end of an effect.
    private func recovered(_ disks: [PowerCutDisk]) async throws -> [Errands] {
        var states: [Errands] = []
        for disk in disks {
            let store = try await ReduxStoreBase(
                recovering: journal(disk),
                initialState: Errands(),
                reducer: Errands.reducer,
                snapshots: .every(actions: 20, by: .codable(version: 1))
            )
            states.append(store.state)
            _ = await store.shutdown()
        }
        return states
    }

    private func live(
        _ disks: [PowerCutDisk],
        _ began: Shared<Set<Int>>,
        _ random: inout SplitMix64,
        isLast: Bool
    ) async throws {
        let effects = (0..<2).map { _ in
            SimpleEffectMiddleware<Errand, Errands>.onAction { errand, _, _ in
                guard case .order(let number) = errand else { return .doNothing }
                if number % 4 == 0 { return .just(.receipt(number)) }
                return .task { _ in
                    began.update { _ = $0.insert(number) }
                    if number % 3 == 0 { try? await Task.sleep(for: .milliseconds(2)) }
                    return .receipt(number)
                }
            }
        }
        let store = try await open(
            try disks.map { try journal($0) },
            { effects[$0] },
            held: Bool.random(using: &random) ? .held : .exact
        )
        let first = (store.states.flatMap(\.orders).max() ?? 0) + 1
        for number in first..<first + 40 where !store.isClosed && !store.shards.contains(where: \.isClosed) {
            store.dispatch(.order(number))
            if random.next() % 4 == 0 { try? await store.journaled() }
        }
        if isLast {
            for _ in 1...2 {
                #expect(
                    await eventually { effects.allSatisfy { $0.runningEffects == 0 } && store.metrics.pending == 0 }
                )
                await store.drain()
            }
        }
        _ = await store.shutdown()
    }
}
