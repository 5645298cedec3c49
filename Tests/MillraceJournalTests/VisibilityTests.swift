// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

@Suite("States that others see when they are durable", .timeLimit(.minutes(5)))
struct VisibilityTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    private func open(
        _ disk: SlowDisk,
        engine: StoreEngine = .thread(),
        publication: Publication = .batch,
        held: HeldWorkPolicy = .held
    ) async throws -> (Store, Journal<Deed>) {
        let journal = try disk.journal()
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: IdentityMiddleware<Deed, Deed, Sums>(),
            engine: engine,
            publication: publication,
            held: held,
            visibility: .durable
        )
        return (store, journal)
    }

    @Test("readers and subscribers see a state when the disk has its actions")
    func waits() async throws {
        let disk = SlowDisk()
        let (store, _) = try await open(disk)
        let told = Shared<[Int]>([])
        let subscription = store.subscribe { state in told.update { $0.append(state.sum) } }
        disk.gate.close()
        store.dispatch(.add(1))
        #expect(await eventually { store.metrics.reduced == 1 && disk.gate.waiting > 0 })
        store.dispatch(.add(10))
        #expect(await eventually { store.metrics.reduced == 2 })
        try await Task.sleep(for: .milliseconds(120))
        #expect(store.state.sum == 0 && store.versionedState.version == 0 && !told.value.contains { $0 > 0 })
        let drained = Shared(false)
        let waiting = Task {
            await store.drain()
            drained.update { $0 = store.state.sum == 11 }
        }
        try await Task.sleep(for: .milliseconds(50))
        #expect(!drained.value)
        disk.gate.open()
        await waiting.value
        #expect(drained.value && store.versionedState.version == 2 && told.value.last == 11)
        await subscription.cancel()
        _ = await store.shutdown()
    }

    @Test("a new subscriber is told a durable state, also when the journal has failed", arguments: [false, true])
    func newSubscriber(fails: Bool) async throws {
        let disk = SlowDisk()
        let (store, _) = try await open(disk)
        store.dispatch(.add(1))
        await store.drain()
        disk.gate.close()
        store.dispatch(.add(10))
        #expect(await eventually { store.metrics.reduced == 2 && disk.gate.waiting > 0 })
        let told = Shared<[Int]>([])
        func subscribe() async -> StateSubscription {
            let before = told.value.count
            let subscription = store.subscribe { state in told.update { $0.append(state.sum) } }
            #expect(await eventually { told.value.count > before })
            return subscription
        }
        let first = await subscribe()
        #expect(told.value == [1])
        if fails { disk.disk.fault = (disk.disk.calls, .failure, lasts: true) }
        disk.gate.open()
        _ = await store.shutdown()
        #expect(told.value == (fails ? [1] : [1, 11]))
        await first.cancel()
    }

    @Test("under load no reader is ahead of the disk", arguments: [Publication.batch, .onDemand])
    func neverAhead(publication: Publication) async throws {
        let disk = SlowDisk()
        let (store, journal) = try await open(disk, publication: publication)
        let isOver = Shared(false)
        let reads = Shared(0)
        let isDone = Shared(false)
        // Not a task: its reads may block, and the test needs the threads of the pool.
        Thread.detachNewThread {
            var last: UInt64 = 0
            while !isOver.value {
                let seen = store.versionedState
                let durable = journal.metrics.durable
                #expect(seen.version <= durable && seen.version >= last && seen.state.sum == Int(seen.version))
                last = seen.version
                reads.update { $0 += 1 }
            }
            isDone.update { $0 = true }
        }
        for _ in 1...20 {
            disk.gate.close()
            store.dispatch(contentsOf: Array(repeating: .add(1), count: 50))
            try await Task.sleep(for: .milliseconds(2))
            disk.gate.open()
            try await Task.sleep(for: .milliseconds(2))
        }
        await store.drain()
        #expect(store.state.sum == 1_000)
        #expect(await eventually { reads.value > 0 })
        isOver.update { $0 = true }
        #expect(await eventually { isDone.value })
        _ = await store.shutdown()
        #expect(store.state.sum == 1_000)
    }

    @Test("an engine that cannot hold waits before it publishes", arguments: [StoreEngine.caller, .thread()])
    func exact(engine: StoreEngine) async throws {
        let disk = SlowDisk()
        let (store, journal) = try await open(disk, engine: engine, held: .exact)
        for number in 1...20 {
            store.dispatch(.add(number))
            await store.drain()
            #expect(store.versionedState.version == UInt64(number) && journal.metrics.durable >= UInt64(number))
        }
        _ = await store.shutdown()
    }

    @Test("what never becomes durable is never seen, and holds nothing up")
    func abandoned() async throws {
        let disk = SlowDisk()
        let (store, _) = try await open(disk)
        store.dispatch(.add(1))
        await store.drain()
        disk.disk.fault = (disk.disk.calls + 1, .full, lasts: true)
        store.dispatch(.add(2))
        #expect(await eventually { store.metrics.reduced == 2 })
        let waiting = Task { await store.drain() }
        let report = await store.shutdown(deadline: .milliseconds(200))
        await waiting.value
        #expect(report.isComplete && store.state.sum == 1)
    }

    @Test("a publication after every action is refused")
    func refused() async throws {
        await #expect(throws: JournalError.self) { _ = try await open(SlowDisk(), publication: .everyAction) }
    }
}
