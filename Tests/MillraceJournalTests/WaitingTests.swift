// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceEffects
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import MillraceService
import TestSupport
import Testing

/// Syncs pass the gate of a ``SlowDisk`` when a test lets them.
@Suite("What waits for which action", .timeLimit(.minutes(5)))
struct WaitingTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    /// Longer than a pipeline needs to run what it is to keep. A slow machine can hide a mistake, but cannot show one.
    private func giveTime() async throws { try await Task.sleep(for: .milliseconds(150)) }

    @Test("a commit is acknowledged when its own action is on the disk", arguments: [false, true])
    func commits(hasInterval: Bool) async throws {
        let disk = SlowDisk()
        let journal = try disk.journal(hasInterval ? .interval(.milliseconds(1)) : .grouped)
        let store = try await Store(recovering: journal, initialState: Sums(), reducer: summing)
        let isAcknowledged = Shared(false)
        disk.gate.close()
        let committing = Task {
            try await store.commit(.add(1), producer: "a", number: 1)
            isAcknowledged.update { $0 = true }
        }
        #expect(await eventually { disk.gate.waiting > 0 })
        try await giveTime()
        #expect(!isAcknowledged.value)
        disk.gate.open()
        try await committing.value
        #expect(isAcknowledged.value)
        _ = await store.shutdown()
    }

    @Test("held work of a group waits for the last action of the group")
    func groups() async throws {
        let disk = SlowDisk()
        let journal = try disk.journal(.every)
        let isStuck = Shared(true)
        let told = Shared<[Int]>([])
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: Reducer.reduce { deed, sums in
                while case .add = deed, isStuck.value { usleep(200) }
                summing.reduce(deed, &sums)
            },
            middleware: Teller { number, _ in told.update { $0.append(number) } }
        )
        disk.gate.close()
        // One batch, and so one group: the first action is handled while the others are dispatched.
        store.dispatch(.add(0))
        store.dispatch(.tell(1))
        store.dispatch(.tell(2))
        isStuck.update { $0 = false }
        #expect(await eventually { store.metrics.reduced == 3 })
        disk.gate.letPass(2)
        #expect(await eventually { journal.metrics.durable == 2 })
        try await giveTime()
        #expect(told.value == [])
        disk.gate.open()
        #expect(await eventually { told.value == [1, 2] })
        _ = await store.shutdown()
    }

    @Test("with .exact an IO runs when its action is durable")
    func exactly() async throws {
        let disk = SlowDisk()
        let told = Shared<[Int]>([])
        let store = try await Store(
            recovering: disk.journal(),
            initialState: Sums(),
            reducer: summing,
            middleware: Teller { number, _ in told.update { $0.append(number) } },
            held: .exact
        )
        disk.gate.close()
        store.dispatch(.tell(1))
        #expect(await eventually { disk.gate.waiting > 0 })
        try await giveTime()
        #expect(told.value == [])
        disk.gate.open()
        #expect(await eventually { told.value == [1] })
        _ = await store.shutdown()
    }

    @Test("held work that is dropped at the deadline of a shutdown is counted")
    func dropped() async throws {
        let disk = SlowDisk()
        let journal = try disk.journal()
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: Teller { _, _ in }
        )
        disk.gate.close()
        store.dispatch(.tell(1))
        store.dispatch(.tell(2))
        #expect(await eventually { journal.metrics.held == 2 })
        let ending = Task { await store.shutdown(deadline: .milliseconds(20)) }
        #expect(await eventually { journal.metrics.droppedHeld == 2 })
        disk.gate.open()
        let report = await ending.value
        #expect(report.droppedHeld == 2 && report.held == 0 && report.reduced == 0 && report.dropped == 0)
        #expect("\(report)".contains(", IOs and effects that did not run: 2"))
        #expect(journal.metrics.held == 0)
    }

    @Test("a service whose store drops held work at its deadline throws, with the number of the IOs")
    func service() async throws {
        let disk = SlowDisk()
        let journal = try disk.journal()
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: Teller { _, _ in }
        )
        let running = Task { try await StoreService(store, cancellationDeadline: .milliseconds(20)).run() }
        disk.gate.close()
        store.dispatch(.tell(1))
        #expect(await eventually { journal.metrics.held == 1 })
        running.cancel()
        #expect(await eventually { journal.metrics.droppedHeld == 1 })
        disk.gate.open()
        let error = await #expect(throws: StoreShutdownError.self) { try await running.value }
        #expect(error?.report.droppedHeld == 1 && error?.report.dropped == 0)
    }

    @Test("the numbers of all producers of a group are recovered, from the journal and from a snapshot")
    func numbers() async throws {
        let disk = SlowDisk()
        let snapshots = try SnapshotPolicy<Sums>.every(actions: 4, by: .codable(version: 1))
        func open(_ journal: Journal<Deed>) async throws -> Store {
            try await Store(recovering: journal, initialState: Sums(), reducer: summing, snapshots: snapshots)
        }
        let known: [String: UInt64] = ["a": 1, "b": 1, "c": 1]
        var journal = try disk.journal()
        var store = try await open(journal)
        disk.gate.close()
        store.dispatch(.add(0))
        #expect(await eventually { disk.gate.waiting > 0 })
        // They are one group: the journal is in its sync.
        for producer in known.keys.sorted() { store.dispatch(.add(1), producer: producer, number: 1) }
        #expect(await eventually { journal.metrics.recorded == 4 })
        disk.gate.open()
        _ = await store.shutdown()
        disk.disk.kill()

        journal = try disk.journal()
        store = try await open(journal)
        #expect(store.recovery?.snapshot == nil)
        #expect(await store.lastNumbers() == known)
        for _ in 5...10 { store.dispatch(.add(2)) }
        #expect(await eventually { journal.metrics.snapshots > 0 })
        _ = await store.shutdown()
        disk.disk.kill()

        store = try await open(disk.journal())
        #expect(store.recovery?.snapshot ?? 0 > 4)
        #expect(await store.lastNumbers() == known)
        _ = await store.shutdown()
    }

    @Test("a journal waits for room on a full disk, also at a shutdown, and loses nothing", arguments: [false, true])
    func fullDisk(atShutdown: Bool) async throws {
        let disk = SlowDisk()
        let journal = try disk.journal()
        let store = try await Store(recovering: journal, initialState: Sums(), reducer: summing)
        disk.disk.fault = (disk.disk.calls + 1, .full, lasts: true)
        for number in 1...3 { store.dispatch(.add(number)) }
        #expect(await eventually { journal.metrics.waitsForDisk > 0 })
        let ending = Task { atShutdown ? await store.shutdown() : nil }
        if atShutdown {
            // The pipeline has ended soon after the store is closed. Each wait takes 20 ms.
            #expect(await eventually { store.isClosed })
            let before = journal.metrics.waitsForDisk
            #expect(await eventually { journal.metrics.waitsForDisk > before + 20 }, "it goes on waiting")
        }
        disk.disk.fault = nil
        if atShutdown {
            #expect(await ending.value?.isComplete == true)
        } else {
            try await store.journaled()
        }
        #expect(journal.metrics.failure == nil)
        _ = await store.shutdown()
        disk.disk.kill()
        let again = try await Store(recovering: disk.journal(), initialState: Sums(), reducer: summing)
        #expect(again.state.deeds == [1, 2, 3])
        _ = await again.shutdown()
    }

    @Test("a shutdown on a disk that stays full ends at its deadline, with the error")
    func fullDiskAtTheDeadline() async throws {
        let disk = SlowDisk()
        let journal = try disk.journal()
        let store = try await Store(recovering: journal, initialState: Sums(), reducer: summing)
        disk.disk.fault = (disk.disk.calls + 1, .full, lasts: true)
        store.dispatch(.add(1))
        let report = await store.shutdown(deadline: .milliseconds(200))
        #expect(report.elapsed >= .milliseconds(200) && report.elapsed < .seconds(20))
        #expect(await eventually { if case .full = journal.metrics.failure { true } else { false } })
    }

    @Test("a snapshot that failed does not hold up the next one")
    func failedSnapshot() async throws {
        let journal = try SlowDisk().journal()
        let fails = Shared(true)
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            snapshots: .every(actions: 10, by: FailingCodec(base: try .codable(version: 1), fails: fails))
        )
        for number in 1...11 { store.dispatch(.add(number)) }
        #expect(await eventually { journal.metrics.failedSnapshots == 1 })
        #expect(journal.metrics.snapshotFailure != nil)
        fails.update { $0 = false }
        for number in 12...21 { store.dispatch(.add(number)) }
        #expect(await eventually { journal.metrics.newestSnapshot == 20 })
        #expect(journal.metrics.snapshots == 1 && journal.metrics.snapshotFailure == nil)
        _ = await store.shutdown()
    }

    @Test("a repeated action is acknowledged when the first one is on the disk")
    func repeated() async throws {
        let disk = SlowDisk()
        let store = try await Store(recovering: disk.journal(), initialState: Sums(), reducer: summing)
        disk.gate.close()
        store.dispatch(.add(1), producer: "a", number: 1)
        #expect(await eventually { disk.gate.waiting > 0 })
        let isAcknowledged = Shared(false)
        let repeating = Task {
            let receipt = try await store.commit(.add(1), producer: "a", number: 1)
            isAcknowledged.update { $0 = true }
            return receipt
        }
        #expect(await eventually { store.metrics.cancelled == 1 })
        try await giveTime()
        #expect(!isAcknowledged.value)
        disk.gate.open()
        #expect(try await repeating.value == .duplicate(mark: 1, durability: .grouped))
        _ = await store.shutdown()
    }
}

private struct FailingCodec: StateCodec {
    let base: CodableCodec<Sums>
    let fails: Shared<Bool>

    var schema: RecordSchema { base.schema }

    func kind(of action: Sums) -> Int { base.kind(of: action) }

    func encode(_ action: Sums, into output: inout RecordBuffer) throws(CodecError) {
        if fails.value { throw .notEncodable(type: "Sums", reason: "as asked for") }
        try base.encode(action, into: &output)
    }

    func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Sums {
        try base.decode(bytes, route: route)
    }
}
