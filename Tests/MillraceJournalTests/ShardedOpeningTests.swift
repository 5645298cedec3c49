// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceCore
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

@testable import MillraceJournal

/// The opening of a sharded store, each shard with a disk of its own: what waits for it, and what a failure leaves behind.
@Suite("A sharded store opens when all of its shards can", .timeLimit(.minutes(5)))
struct ShardedOpeningTests {
    typealias Store = ShardedStore<Deed, Sums, Int>

    private let folder = TemporaryFolder()
    private let disks = (1...3).map { PowerCutDisk(seed: $0) }

    private static func key(_ deed: Deed) -> Int {
        switch deed {
        case .add(let number), .tell(let number), .found(let number): number
        }
    }

    private func shard(_ number: Int) -> Int { ShardKey.scale(number.stableHash, to: disks.count) }

    private func journals(_ reads: FailingReads? = nil, of failing: Int? = nil) throws -> [Journal<Deed>] {
        try disks.enumerated().map { number, disk in
            SharedFolder(disk, reads: number == failing ? reads : nil).journal(try BitwiseCodec(version: 1))
        }
    }

    private func open(
        _ journals: [Journal<Deed>],
        _ reducer: Reducer<Deed, Sums> = summing,
        engine: StoreEngine = .thread(),
        greets: @escaping @Sendable (_ shard: Int) -> [Deed] = { _ in [] }
    ) async throws -> Store {
        try await Store(
            recovering: ShardedJournal(folder.path, journals),
            by: { Self.key($0) },
            initialState: { _ in Sums() },
            reducer: reducer,
            middleware: { shard in
                AnyMiddleware<Deed, Deed, Sums>(
                    receiveContext: { _, output in for deed in greets(shard) { output.dispatch(deed) } },
                    handle: { _, _, _ in .pure() }
                )
            },
            engine: { _ in engine },
            held: .exact,
            effects: .restart
        )
    }

    /// What the disks hold, without any middleware.
    private func recovered() async throws -> [[Int]] {
        var deeds: [[Int]] = []
        for journal in try journals() {
            let store = try await ReduxStoreBase(recovering: journal, initialState: Sums(), reducer: summing)
            deeds.append(store.state.deeds)
            _ = await store.shutdown()
        }
        return deeds
    }

    /// The same, read from the files. It opens no journal, so it makes no new segment, which the next opening had to read.
    private func written() async throws -> [[Int]] {
        var deeds: [[Int]] = []
        for journal in try journals() {
            var numbers: [Int] = []
            for try await entry in journal.entries(from: 1) { numbers.append(Self.key(entry.action)) }
            deeds.append(numbers)
        }
        return deeds
    }

    /// A few numbers for each shard.
    private func fill() async throws {
        let store = try await open(try journals())
        for number in 1...30 { store.dispatch(.add(number)) }
        try await store.journaled()
        _ = await store.shutdown()
    }

    @Test(
        "what middlewares dispatch when they are bound, also to other shards, is handled after the opening, once",
        arguments: [StoreEngine.thread(), .caller, .queue(DispatchQueue(label: "opening"))]
    )
    func holdsUntilOpen(engine: StoreEngine) async throws {
        try await fill()
        let before = try await recovered()
        #expect(before.allSatisfy { !$0.isEmpty } && before.flatMap { $0 }.count == 30)
        // Each shard dispatches a number to each shard.
        let greetings = (0..<3).map { from in
            (0..<3).map { to in (from * 100 + 100...9_999).first { shard($0) == to }! }
        }
        let bound = Shared(0)
        let early = Shared<[Deed]>([])
        let reducer = Reducer<Deed, Sums>.reduce { deed, sums in
            // The reducers run on new actions only when every middleware was bound.
            if Self.key(deed) >= 100, bound.value < 3 { early.update { $0.append(deed) } }
            summing.reduce(deed, &sums)
        }
        let store = try await open(try journals(), reducer, engine: engine) { shard in
            bound.update { $0 += 1 }
            return greetings[shard].map { .add($0) }
        }
        await store.drain()
        #expect(await eventually { store.metrics.reduced == 9 })
        #expect(early.value.isEmpty)
        for number in 0..<3 {
            let deeds = store.shards[number].state.deeds
            #expect(deeds.starts(with: before[number]))
            #expect(Set(deeds.dropFirst(before[number].count)) == Set(greetings.map { $0[number] }))
            #expect(deeds.count == before[number].count + 3)
        }
        try await store.journaled()
        _ = await store.shutdown()
        let after = try await recovered()
        #expect(after.map(\.count) == before.map { $0.count + 3 })
    }

    @Test(
        "if one shard cannot be read, what the middlewares of the others dispatched is in no journal",
        arguments: 0..<3
    )
    func failedOpening(failing: Int) async throws {
        try await fill()
        let before = try await written()
        var failures = 0
        for read in 1...200 {
            let reads = FailingReads(at: read)
            do {
                let store = try await open(try journals(reads, of: failing)) { _ in [.add(100), .add(101), .add(102)] }
                _ = await store.shutdown()
                break
            } catch is JournalError {
                failures += 1
                #expect(try await written() == before, "read \(read)")
            }
        }
        #expect(failures > 0 && failures < 200)
        // The last opening succeeded, with three numbers of each shard.
        #expect(try await written().flatMap { $0 }.count == 39)
    }

    @Test(
        "a shard whose journal failed opens again when its disk is mended, with all that was acknowledged; until then none opens",
        arguments: 0..<3
    )
    func failsBetweenOpenings(failing: Int) async throws {
        try await fill()
        let store = try await open(try journals())
        let numbers = (200..<230).filter { shard($0) == failing }
        let others = (200..<230).filter { shard($0) != failing }
        for number in numbers.prefix(3) { store.dispatch(.add(number)) }
        try await store.journaled()
        let disk = disks[failing]
        disk.fault = (disk.calls + 1, .failure, lasts: true)
        await #expect(throws: CommitError.self) {
            try await store.commit(.add(numbers[3]), producer: "p", numberInShard: 1)
        }
        // The others go on.
        for number in others { store.dispatch(.add(number)) }
        for (number, shard) in store.shards.enumerated() where number != failing { try await shard.journaled() }
        await #expect(throws: CommitError.self) { try await store.journaled() }
        _ = await store.shutdown()

        for _ in 1...3 {
            await #expect(throws: JournalError.self) { _ = try await open(try journals()) }
        }
        disk.fault = nil
        let again = try await open(try journals())
        let deeds = again.shards.map(\.state.deeds)
        #expect(Set(deeds.flatMap { $0 }).isSuperset(of: Array(1...30) + numbers.prefix(3) + others))
        // The one that was refused was written, or not.
        #expect(deeds.flatMap { $0 }.count - 30 - others.count - 3 <= 1)
        try await again.commit(.add(numbers[4]), producer: "p", numberInShard: again.lastNumbers(of: "p")[failing] + 1)
        // The state is published at most once a millisecond.
        await again.drain()
        #expect(again.shards[failing].state.deeds.last == numbers[4])
        _ = await again.shutdown()
    }
}
