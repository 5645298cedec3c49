// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceEffects
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

@Suite("Work that waits for a slow disk", .timeLimit(.minutes(5)))
struct HeldWorkTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    private func open<M: MiddlewareProtocol>(
        _ disk: SlowDisk,
        _ middleware: M,
        publication: Publication = .batch,
        mostHeld: Int = 65_536
    ) async throws -> Store where M.InputActionType == Deed, M.OutputActionType == Deed, M.StateType == Sums {
        nonisolated(unsafe) let middleware = middleware
        return try await Store(
            recovering: disk.journal(),
            initialState: Sums(),
            reducer: summing,
            middleware: middleware,
            publication: publication,
            mostHeld: mostHeld
        )
    }

    @Test("an IO runs when its action is durable, although nothing else is dispatched meanwhile")
    func wakesASleepingPipeline() async throws {
        let disk = SlowDisk()
        let told = Shared<[Int]>([])
        let store = try await open(disk, Teller { number, _ in told.update { $0.append(number) } })
        disk.gate.close()
        store.dispatch(.tell(1))
        #expect(await eventually { disk.gate.waiting > 0 })
        // Longer than the pipeline looks around before it sleeps.
        try await Task.sleep(for: .milliseconds(150))
        #expect(told.value == [])
        disk.gate.open()
        #expect(await eventually { told.value == [1] })
        _ = await store.shutdown()
    }

    @Test("room for one action, the smallest ring, one held IO, 100,000 actions: nobody waits for ever")
    func smallest() async throws {
        let folder = TemporaryFolder()
        let told = Shared(0)
        let journal = try Journal<Deed>(
            directory: folder.path + "/deeds",
            codec: .bitwise(version: 1),
            durability: .process,
            capacity: 1
        )
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: Teller { _, _ in told.update { $0 += 1 } },
            capacity: .bounded(1),
            mostHeld: 1
        )
        onThreads(4) { _ in for number in 1...25_000 { store.dispatch(.tell(number)) } }
        try await store.journaled()
        await store.drain()
        #expect(told.value == 100_000)
        #expect(journal.metrics.recorded == 100_000 && journal.metrics.droppedHeld == 0)
        _ = await store.shutdown()
    }

    @Test("with .detach a store whose journal fails runs what it held, and goes on; every commit fails")
    func detached() async throws {
        let disk = SlowDisk()
        let told = Shared<[Int]>([])
        let journal: Journal<Deed> = disk.journal(try BitwiseCodec(version: 1), onFailure: .detach)
        let reported = Shared<[JournalError]>([])
        journal.reportFailure { error in reported.update { $0.append(error) } }
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: Teller { number, _ in told.update { $0.append(number) } }
        )
        disk.gate.close()
        store.dispatch(.tell(1))
        #expect(await eventually { disk.gate.waiting > 0 })
        let answer = Shared<CommitError?>(nil)
        let commit = Task {
            do throws(CommitError) {
                try await store.commit(.add(1), producer: "waits", number: 1)
            } catch {
                answer.update { $0 = error }
            }
        }
        #expect(await eventually { store.metrics.reduced == 2 })
        #expect(told.value == [] && answer.value == nil)
        disk.disk.fault = (disk.disk.calls, .failure, lasts: true)
        disk.gate.open()
        #expect(await eventually { told.value == [1] })
        #expect(
            await eventually { answer.value == journal.metrics.failure.map { .journal($0) } && answer.value != nil }
        )
        store.dispatch(.tell(2))
        await store.drain()
        #expect(told.value == [1, 2] && !store.isClosed && store.metrics.reduced == 3)
        #expect(journal.metrics.failure != nil && journal.metrics.droppedHeld == 0)
        #expect(await eventually { reported.value == [journal.metrics.failure] })
        await #expect(throws: CommitError.self) { try await store.commit(.add(1), producer: "p", number: 1) }
        #expect(await store.shutdown().isComplete)
        await commit.value
    }

    @Test("a cancel in a merge acts at once, not when its action is durable", arguments: [false, true])
    func mergedCancel(isConcat: Bool) async throws {
        let disk = SlowDisk()
        let begun = Shared<[Int]>([])
        let effects = SimpleEffectMiddleware<Deed, Sums>.onAction { deed, _, _ in
            switch deed {
            case .add(let number):
                let parts: [Effect<Void, Deed>] = [
                    .toCancel("x"), .fireAndForget { begun.update { $0.append(number) } },
                ]
                return isConcat ? .concat(parts) : .merge(parts)
            case .tell(let number):
                return .task(token: "x") { _ in
                    begun.update { $0.append(number) }
                    return nil
                }
            case .found: return .doNothing
            }
        }
        let store = try await open(disk, effects)
        disk.gate.close()
        store.dispatch(.tell(1))
        store.dispatch(.add(2))
        store.dispatch(.tell(3))
        #expect(await eventually { store.metrics.reduced == 3 })
        #expect(begun.value == [])
        disk.gate.open()
        await store.drain()
        #expect(await eventually { effects.runningEffects == 0 })
        #expect(begun.value.sorted() == [2, 3])
        _ = await store.shutdown()
    }

    @Test("a part of a concat that another thread starts waits for the journal, too")
    func concatCancelledElsewhere() async throws {
        let disk = SlowDisk()
        let begun = Shared<[Int]>([])
        let effects = SimpleEffectMiddleware<Deed, Sums>.onAction { deed, _, _ in
            guard case .tell(let number) = deed else { return .doNothing }
            return .concat(
                .task(token: "first") { _ in
                    begun.update { $0.append(-number) }
                    return nil
                },
                .fireAndForget { begun.update { $0.append(number) } }
            )
        }
        let store = try await open(disk, effects)
        disk.gate.close()
        store.dispatch(.tell(1))
        #expect(await eventually { store.metrics.reduced == 1 })
        await Task.detached { effects.cancel("first") }.value
        #expect(begun.value == [])
        disk.gate.open()
        await store.drain()
        #expect(await eventually { effects.runningEffects == 0 })
        #expect(begun.value == [1])
        _ = await store.shutdown()
    }

    @Test("journaled() waits for the disk, also while the store is closing")
    func journaledWhileClosing() async throws {
        let disk = SlowDisk()
        let store = try await open(disk, Teller { _, _ in })
        disk.gate.close()
        store.dispatch(.tell(1))
        #expect(await eventually { disk.gate.waiting > 0 })
        store.close()
        // The pipeline waits for the journal with its last message refused.
        try await Task.sleep(for: .milliseconds(100))
        let isOver = Shared(false)
        let waiting = Task {
            defer { isOver.update { $0 = true } }
            try await store.journaled()
        }
        try await Task.sleep(for: .milliseconds(50))
        #expect(!isOver.value)
        disk.gate.open()
        try await waiting.value
        _ = await store.shutdown()
        // The journal is closed, and everything is in it.
        try await store.journaled()
        #expect(await store.lastNumber(of: "nobody") == 0)
    }

    @Test("a drain that waits for held work returns when the store is closed meanwhile")
    func drainWhileClosing() async throws {
        let disk = SlowDisk()
        let told = Shared<[Int]>([])
        let store = try await open(disk, Teller { number, _ in told.update { $0.append(number) } })
        disk.gate.close()
        store.dispatch(.tell(1))
        let drained = Shared(false)
        let waiting = Task {
            await store.drain()
            drained.update { $0 = true }
        }
        #expect(await eventually { store.metrics.reduced == 1 })
        try await Task.sleep(for: .milliseconds(50))
        #expect(!drained.value)
        store.close()
        disk.gate.open()
        #expect(await eventually { drained.value })
        #expect(told.value == [1])
        waiting.cancel()
        _ = await store.shutdown()
    }

    @Test("with no room for held work the store ends at the deadline, although the disk stays full")
    func deadlineWithoutRoom() async throws {
        let disk = SlowDisk()
        let told = Shared<[Int]>([])
        let store = try await open(disk, Teller { number, _ in told.update { $0.append(number) } }, mostHeld: 2)
        store.dispatch(.tell(1))
        await store.drain()
        disk.disk.fault = (disk.disk.calls + 1, .full, lasts: true)
        for number in 2...200 { store.dispatch(.tell(number)) }
        let report = await store.shutdown(deadline: .milliseconds(300))
        #expect(report.isComplete && report.dropped > 0)
        #expect(told.value == [1])
    }

    @Test("no more is held than may be")
    func mostHeld() async throws {
        let disk = SlowDisk()
        let journal = try disk.journal()
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: Teller { _, _ in },
            mostHeld: 10
        )
        disk.gate.close()
        store.dispatch(contentsOf: (1...200).map(Deed.tell))
        #expect(await eventually { disk.gate.waiting > 0 && journal.metrics.held >= 10 })
        try await Task.sleep(for: .milliseconds(50))
        #expect(journal.metrics.held == 10)
        disk.gate.open()
        await store.drain()
        #expect(store.metrics.reduced == 200)
        _ = await store.shutdown()
    }

    @Test("a held IO reads the state of its group, with the version of that state")
    func versions() async throws {
        let disk = SlowDisk()
        let seen = Shared<[(sum: Int, version: UInt64)]>([])
        let box = Shared<Store?>(nil)
        let store = try await open(
            disk,
            Teller { _, state in
                guard let version = box.value?.versionedState else { return }
                seen.update { $0.append((version.state.sum, version.version)) }
            }
        )
        box.update { $0 = store }
        disk.gate.close()
        store.dispatch(contentsOf: [.add(1), .tell(1)])
        #expect(await eventually { store.metrics.reduced == 2 && disk.gate.waiting > 0 })
        store.dispatch(.add(10))
        #expect(await eventually { store.metrics.reduced == 3 })
        disk.gate.open()
        await store.drain()
        #expect(seen.value.map(\.sum) == [1] && seen.value.map(\.version) == [2])
        box.update { $0 = nil }
        _ = await store.shutdown()
    }

    @Test("a read on demand waits for the reducers, not for the disk")
    func onDemand() async throws {
        let disk = SlowDisk()
        let store = try await open(disk, Teller { _, _ in }, publication: .onDemand)
        disk.gate.close()
        store.dispatch(contentsOf: [.add(1), .tell(1)])
        let sum = Shared(0)
        let reader = Task.detached { sum.update { $0 = store.state.sum } }
        #expect(await eventually { sum.value == 1 })
        disk.gate.open()
        await reader.value
        _ = await store.shutdown()
    }

    @Test("the IO of a plugin that was removed does not run")
    func removedPlugin() async throws {
        let disk = SlowDisk()
        let told = Shared<[Int]>([])
        let store = try await open(disk, IdentityMiddleware<Deed, Deed, Sums>())
        try await store.plugins.install(Teller { number, _ in told.update { $0.append(number) } }, as: "teller")
        store.dispatch(.tell(1))
        await store.drain()
        disk.gate.close()
        store.dispatch(.tell(2))
        #expect(await eventually { store.metrics.reduced == 2 })
        try await store.plugins.remove("teller")
        disk.gate.open()
        await store.drain()
        #expect(told.value == [1])
        _ = await store.shutdown()
    }
}
