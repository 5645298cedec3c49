// SPDX-License-Identifier: Apache-2.0

import Glibc
import Millrace
import MillraceCore
import MillraceJournalTesting
import MillraceRecords
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceJournal

@Suite("How far a recovery is", .timeLimit(.minutes(5)))
struct RecoveryProgressTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    /// Longer than the recovery waits between two reports.
    private static let pause: useconds_t = 110_000

    /// Makes the recovery slow at some numbers: a busy machine makes it slower only.
    private func slow(at numbers: Set<Int>) -> Reducer<Deed, Sums> {
        .reduce { deed, sums in
            if case .add(let number) = deed, numbers.contains(number) { usleep(Self.pause) }
            summing.reduce(deed, &sums)
        }
    }

    /// Writes actions in groups of a hundred.
    private func write(_ disk: SlowDisk, _ snapshots: SnapshotPolicy<Sums>) async throws {
        let store = try await Store(
            recovering: disk.journal(),
            initialState: Sums(),
            reducer: summing,
            snapshots: snapshots
        )
        for number in 1...1_000 {
            store.dispatch(.add(number))
            if number % 100 == 0 { try await store.journaled() }
        }
        _ = await store.shutdown()
    }

    @Test(
        "the reports grow, and the last one is the end of the journal",
        arguments: [false, true]
    )
    func reports(hasSnapshot: Bool) async throws {
        let disk = SlowDisk()
        let snapshots: SnapshotPolicy<Sums> =
            hasSnapshot ? try .every(actions: 400, by: .codable(version: 1)) : .never
        try await write(disk, snapshots)
        let reports = Shared<[RecoveryProgress]>([])
        let store = try await Store(
            recovering: disk.journal(),
            initialState: Sums(),
            reducer: slow(at: [850, 950]),
            snapshots: snapshots,
            progress: { report in reports.update { $0.append(report) } }
        )
        let told = reports.value
        let found = try #require(store.recovery)
        #expect((found.snapshot != nil) == hasSnapshot)
        #expect(told.count >= 3)
        #expect(Set(told.map(\.sequence)).count >= 2)
        for (one, next) in zip(told, told.dropFirst()) {
            #expect(one.sequence <= next.sequence && one.actions <= next.actions && one.bytes <= next.bytes)
        }
        // There may be more reports, on a busy machine.
        let slow = try #require(told.first { $0.sequence >= 850 })
        #expect(slow.sequence < 1_000)
        #expect(told.allSatisfy { $0.actions == $0.sequence - (found.snapshot ?? 0) && $0.bytes > 0 })
        #expect(told.last == RecoveryProgress(actions: found.actions, sequence: 1_000, bytes: found.bytes))
        #expect(store.state.deeds == Array(1...1_000))
        _ = await store.shutdown()
    }

    @Test("in a world the time of the reports is that of the world, so each process makes the same ones")
    func inAWorld() throws {
        let world = SimulatedWorld(seed: 5)
        let disk = SimulatedDisk(in: world)
        let reports = Shared<[RecoveryProgress]>([])
        world.task("two lives") {
            for life in 1...2 {
                let store = try await Store(
                    recovering: Journal(on: disk, codec: try BitwiseCodec<Deed>(version: 1)),
                    initialState: Sums(),
                    reducer: slow(at: [3]),
                    engine: .simulated(in: world),
                    progress: { report in reports.update { $0.append(report) } }
                )
                if life == 1 { for number in 1...9 { store.dispatch(.add(number)) } }
                _ = await store.shutdown()
            }
        }
        try world.run()
        // The reducer takes real time, of which the world knows nothing: one report for each recovery.
        #expect(reports.value.map(\.sequence) == [0, 9])
    }

    @Test("a sharded store tells how far each shard is, to its end")
    func shards() async throws {
        let disks = (0..<3).map { _ in SlowDisk() }
        let folder = TemporaryFolder()
        let reports = Shared<[[RecoveryProgress]]>([[], [], []])
        func open() async throws -> ShardedStore<Deed, Sums, Int> {
            try await ShardedStore(
                recovering: ShardedJournal(folder.path, try disks.map { try $0.journal() }),
                by: { deed in
                    switch deed {
                    case .add(let number), .tell(let number), .found(let number): number
                    }
                },
                initialState: { _ in Sums() },
                reducer: summing,
                middleware: { _ in IdentityMiddleware<Deed, Deed, Sums>() },
                progress: { shard, report in reports.update { $0[shard].append(report) } }
            )
        }
        let first = try await open()
        #expect(reports.value.allSatisfy { $0.map(\.sequence) == [0] })
        for number in 1...100 { first.dispatch(.add(number)) }
        _ = await first.shutdown()
        reports.value = [[], [], []]

        let store = try await open()
        let told = reports.value
        for (shard, told) in zip(store.shards, told) {
            let found = try #require(shard.recovery)
            #expect(found.lastSequence > 0)
            #expect(told.map(\.sequence) == told.map(\.sequence).sorted())
            #expect(
                told.last
                    == RecoveryProgress(actions: found.actions, sequence: found.lastSequence, bytes: found.bytes)
            )
        }
        #expect(told.compactMap { $0.last?.sequence }.reduce(0, +) == 100)
        _ = await store.shutdown()
    }
}
