// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

@testable import MillraceJournal

@Suite("Snapshots of a second state", .timeLimit(.minutes(10)))
struct ShadowTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    private func open(_ disk: SlowDisk, _ journal: Journal<Deed>, keep: Int = 2, removes: Bool = false) async throws
        -> Store
    {
        try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            snapshots: .every(
                actions: 50,
                keep: keep,
                removesSegments: removes,
                kind: .shadow,
                by: try .codable(version: 1)
            )
        )
    }

    @Test("each snapshot is the state after its action, with the producers' numbers, over several lives and segments")
    func follows() async throws {
        let disk = SlowDisk()
        var number = 0
        for life in 1...4 {
            let journal = try disk.journal(life % 2 == 0 ? .process : .grouped)
            let store = try await open(disk, journal, removes: life > 2)
            #expect(store.state.deeds == Array(1...max(1, number)).prefix(number).map { $0 })
            if life > 1 { #expect((store.recovery?.snapshot ?? 0) > 0) }
            #expect(await store.lastNumber(of: "p") == UInt64(number))
            for _ in 1...1_000 {
                number += 1
                store.dispatch(.add(number), producer: "p", number: UInt64(number))
                if number % 37 == 0 { try await store.journaled() }
            }
            try await store.journaled()
            #expect(await eventually { journal.metrics.newestSnapshot >= UInt64(number - 50) })
            #expect(journal.metrics.failedSnapshots == 0)
            _ = await store.shutdown()
            disk.disk.kill()
            try check(disk)
        }
    }

    /// Compares each snapshot with the actions.
    private func check(_ disk: SlowDisk) throws {
        let folder = SharedFolder(base: disk.disk.folder, lock: .init(0))
        let codec = try CodableCodec<Sums>(version: 1)
        let names = try SnapshotName.all(in: folder)
        #expect(names.count == 2)
        for name in names {
            let snapshot = try Snapshot(folder, name)
            let state = try snapshot.state(by: codec)
            #expect(state.deeds == Array(1...Int(snapshot.sequence)))
            let marks = snapshot.records.compactMap { record -> UInt64? in
                guard case .mark("p", let number) = record else { return nil }
                return number
            }
            #expect(marks == [snapshot.sequence])
        }
    }

    @Test("the second state is never ahead of the disk")
    func behind() async throws {
        let disk = SlowDisk()
        let journal = try disk.journal()
        let store = try await open(disk, journal)
        disk.gate.close()
        for number in 1...200 { store.dispatch(.add(number)) }
        #expect(await eventually { store.metrics.reduced == 200 && disk.gate.waiting > 0 })
        #expect(journal.metrics.newestSnapshot == 0)
        disk.gate.open()
        #expect(await eventually { journal.metrics.newestSnapshot >= 150 })
        _ = await store.shutdown()
    }

    /// Reads no deed but `add`.
    private struct OnlyAdding: ActionCodec {
        let codec: BitwiseCodec<Deed>
        var schema: RecordSchema { codec.schema }
        func kind(of action: Deed) -> Int { codec.kind(of: action) }
        func encode(_ action: Deed, into output: inout RecordBuffer) throws(CodecError) {
            try codec.encode(action, into: &output)
        }
        func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Deed {
            let deed = try codec.decode(bytes, route: route)
            guard case .add = deed else { throw .notDecodable(type: "Deed", reason: "as asked for", offset: nil) }
            return deed
        }
    }

    @Test("an action that cannot be read ends the second state: each later snapshot has failed, and the store goes on")
    func broken() async throws {
        let disk = SlowDisk()
        let journal: Journal<Deed> = disk.journal(OnlyAdding(codec: try BitwiseCodec(version: 1)))
        let store = try await open(disk, journal)
        store.dispatch(.tell(0))
        for number in 1...49 { store.dispatch(.add(number)) }
        #expect(await eventually { journal.metrics.failedSnapshots == 1 })
        #expect(journal.metrics.snapshotFailure != nil)
        for number in 50...109 { store.dispatch(.add(number)) }
        #expect(await eventually { journal.metrics.failedSnapshots == 2 })
        try await store.journaled()
        #expect(journal.metrics.recorded == 110 && journal.metrics.newestSnapshot == 0)
        #expect(journal.metrics.snapshotFailure != nil && journal.metrics.failure == nil)
        _ = await store.shutdown()
    }

    @Test("a shutdown does not wait for a second state that is far behind")
    func shutsDown() async throws {
        let disk = SlowDisk()
        let journal = try disk.journal(.process)
        let pipeline = Shared<UInt>(0)
        let second = Shared(0)
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: Reducer.reduce { _, sums in
                sums.sum += 1
                let current = UInt(pthread_self())
                // The pipeline is the first to reduce. The second state would need 100 seconds.
                if pipeline.update({
                    if $0 == 0 { $0 = current }; return $0
                }) == current {
                    return
                }
                second.update { $0 += 1 }
                usleep(20_000)
            },
            snapshots: .every(actions: 50, kind: .shadow, by: try .codable(version: 1))
        )
        store.dispatch(contentsOf: (1...5_000).map { .add($0) })
        #expect(await eventually { second.value > 0 })
        let start = ContinuousClock.now
        let report = await store.shutdown()
        #expect(report.isComplete && ContinuousClock.now - start < .seconds(25), "\(report)")
        #expect(second.value < 5_000)
    }

    @Test("after a power cut at any moment the recovered state is a prefix with every acknowledged action")
    func powerCuts() async throws {
        for seed in 1...(isSanitized ? 10 : 40) as ClosedRange<UInt64> {
            let disk = SlowDisk()
            disk.disk.random = DiskRandom(seed: seed)
            var random = SplitMix64(seed: seed)
            var acknowledged = 0
            for _ in 1...3 {
                disk.disk.fault = (disk.disk.calls + Int.random(in: 20...150, using: &random), .cut, lasts: false)
                do {
                    let store = try await open(disk, disk.journal())
                    var number = store.state.deeds.count
                    while !store.isClosed, number < 2_000 {
                        number += 1
                        if number % 10 > 0 {
                            store.dispatch(.add(number), producer: "p", number: UInt64(number))
                        } else if (try? await store.commit(.add(number), producer: "p", number: UInt64(number))) != nil
                        {
                            acknowledged = number
                        }
                    }
                    _ = await store.shutdown()
                } catch is JournalError {}
                disk.disk.restart()
                let again = try await open(disk, disk.journal())
                let count = again.state.deeds.count
                #expect(again.state.deeds == Array(1...max(1, count)).prefix(count).map { $0 }, "seed \(seed)")
                #expect(count >= acknowledged, "seed \(seed)")
                #expect(await again.lastNumber(of: "p") == UInt64(count), "seed \(seed)")
                _ = await again.shutdown()
                disk.disk.kill()
            }
        }
    }
}
