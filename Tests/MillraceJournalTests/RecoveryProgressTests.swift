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
        #expect(told.last == end(found))
        #expect(found.lastSequence == 1_000)
        #expect(told.allSatisfy { $0.totalBytes >= $0.bytes })
        #expect(store.state.deeds == Array(1...1_000))
        _ = await store.shutdown()
    }

    /// The last report of a recovery.
    private func end(_ found: RecoveryReport) -> RecoveryProgress {
        RecoveryProgress(
            phase: .applyingActions,
            actions: found.actions - found.handledAgain,
            sequence: found.lastSequence,
            bytes: found.bytes,
            totalBytes: found.bytes
        )
    }

    @Test("a recovery that looks for effects first reports that as a phase of its own")
    func phases() async throws {
        let disk = SlowDisk()
        try await write(disk, .never)
        let reports = Shared<[RecoveryProgress]>([])
        let store = try await Store(
            recovering: disk.journal(),
            initialState: Sums(),
            reducer: slow(at: [850, 950]),
            middleware: IdentityMiddleware<Deed, Deed, Sums>(),
            effects: .restart(),
            progress: { report in reports.update { $0.append(report) } }
        )
        let told = reports.value
        let found = try #require(store.recovery)
        let search = try #require(told.last { $0.phase == .findingEffects })
        #expect(search.actions == 0 && search.sequence == 1_000)
        #expect(search.bytes == found.bytes && search.totalBytes == found.bytes)
        let applying = Array(told.drop { $0.phase == .findingEffects })
        #expect(applying.count >= 3 && applying.allSatisfy { $0.phase == .applyingActions })
        // The bytes of the second phase begin anew.
        #expect(applying.first.map { $0.bytes < found.bytes } == true)
        #expect(applying.allSatisfy { $0.bytes <= $0.totalBytes })
        #expect(applying.last == end(found))
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
            #expect(told.last == end(found))
        }
        #expect(told.compactMap { $0.last?.sequence }.reduce(0, +) == 100)
        _ = await store.shutdown()
    }
}
