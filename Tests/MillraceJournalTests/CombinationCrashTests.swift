// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceCore
import MillraceEffects
import MillraceGated
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

/// The parts of a store that hold, cancel or replace effects, and a crash at the moment that a test chooses.
@Suite("A crash while work is held", .timeLimit(.minutes(5)))
struct CombinationCrashTests {
    typealias Store = ReduxStoreBase<Step, Steps>

    /// A disk in memory that a program uses until it is killed, and then the next program.
    private final class Machine: Sendable {
        let disk = PowerCutDisk(seed: 1)
        let lock = Locked(0)
        let gate = SyncGate()

        /// The folder for the program that runs now. Its syncs wait at the gate.
        func folder() -> SharedFolder {
            lock.withLock { _ in SharedFolder(base: disk.folder, lock: lock, gate: gate) }
        }

        func journal() throws -> Journal<Step> {
            folder().journal(try BitwiseCodec(version: 1), segmentBytes: 65_536)
        }

        func kill() { folder().kill() }

        /// The power is cut, and comes back: what was not synced is lost, or is there in part.
        func restart() { lock.withLock { _ in disk.restart() } }
    }

    private func open<M: MiddlewareProtocol>(
        _ machine: Machine,
        _ middleware: M,
        engine: StoreEngine = .thread(),
        held: HeldWorkPolicy = .held,
        subject: StateSubject = .none,
        effects: UnfinishedEffects = .forget
    ) async throws -> (Store, Journal<Step>)
    where M.InputActionType == Step, M.OutputActionType == Step, M.StateType == Steps {
        nonisolated(unsafe) let middleware = middleware
        let journal = try machine.journal()
        if let subject = subject.make(Steps()) {
            let store = try await Store(
                recovering: journal,
                subject: subject,
                reducer: Steps.noting,
                middleware: middleware,
                held: held,
                effects: effects
            )
            return (store, journal)
        }
        let store = try await Store(
            recovering: journal,
            initialState: Steps(),
            reducer: Steps.noting,
            middleware: middleware,
            engine: engine,
            held: held,
            effects: effects
        )
        return (store, journal)
    }

    /// `urgent(n)`: an effect that notes its name and the number.
    private func noting(_ begun: Shared<[String]>, _ name: String = "") -> SimpleEffectMiddleware<Step, Steps> {
        .onAction { step, _, _ in
            guard case .urgent(let number) = step else { return .doNothing }
            return .fireAndForget { begun.update { $0.append("\(name)\(number)") } }
        }
    }

    @Test(
        "after a shutdown whose deadline passes with held work, and a crash, what was acknowledged is there, and what was held never ran",
        arguments: [
            (StoreEngine.thread(), HeldWorkPolicy.held, StateSubject.none), (.thread(), .exact, .none),
            (.caller, .exact, .none), (.main, .exact, .none), (.main, .exact, .native), (.main, .exact, .foreign),
            (.queue(DispatchQueue(label: "deadline")), .exact, .none),
        ],
        [false, true]
    )
    func deadline(
        _ kind: (engine: StoreEngine, held: HeldWorkPolicy, subject: StateSubject),
        isPowerCut: Bool
    ) async throws {
        let machine = Machine()
        let (ran, begun) = (Shared<[Step]>([]), Shared<[String]>([]))
        let middleware = CombinationTests.Answering(ran: ran) <> noting(begun)
        let (store, _) = try await open(
            machine,
            middleware,
            engine: kind.engine,
            held: kind.held,
            subject: kind.subject
        )
        let put = Step.put(producer: 1, number: 1)
        try await store.commit(put, producer: "p1", number: 1)
        try await store.commit(.urgent(1), producer: "p2", number: 1)
        await store.drain()
        try await store.journaled()
        machine.gate.close()
        // With `.caller` the call waits for the disk itself.
        onNewThread {
            store.dispatch(.put(producer: 1, number: 2), producer: "p1", number: 2)
            store.dispatch(.urgent(2), producer: "p2", number: 2)
        }
        #expect(await eventually { machine.gate.waiting > 0 })
        _ = await store.shutdown(deadline: .milliseconds(100))
        #expect(ran.value == [put] && begun.value == ["1"])
        isPowerCut ? machine.restart() : machine.kill()
        machine.gate.open()
        // The threads of the program that is no more end, and write nothing.
        _ = await store.shutdown()
        #expect(ran.value == [put] && begun.value == ["1"])

        let (again, _) = try await open(machine, middleware)
        let state = again.state.all
        #expect(state.starts(with: [put, .answered(producer: 1, number: 1)]) || state.starts(with: [put, .urgent(1)]))
        #expect(Set(state).isSuperset(of: [put, .urgent(1)]) && state.count <= 5)
        #expect(await again.lastNumber(of: "p1") == (state.contains(.put(producer: 1, number: 2)) ? 2 : 1))
        await again.drain()
        #expect(ran.value == [put] && begun.value == ["1"])
        _ = await again.shutdown()
    }

    @Test(
        "an effect that a gate cancelled while it was held does not begin, also after a crash",
        arguments: [UnfinishedEffects.forget, .restart]
    )
    func gates(effects: UnfinishedEffects) async throws {
        let machine = Machine()
        let begun = Shared<[String]>([])
        let gate = Gate()
        let (store, journal) = try await open(
            machine,
            noting(begun).gated(by: gate, inFlight: .cancel),
            effects: effects
        )
        machine.gate.close()
        store.dispatch(.urgent(1))
        #expect(await eventually { store.metrics.reduced == 1 })
        gate.close()
        machine.gate.open()
        store.dispatch(.put(producer: 1, number: 1))
        try await store.journaled()
        // The end of the cancelled effect is on the disk.
        #expect(await eventually { effects == .forget || journal.metrics.finishedEffects ?? 0 >= 1 })
        machine.kill()
        _ = await store.shutdown()

        gate.open()
        let (again, _) = try await open(machine, noting(begun).gated(by: gate, inFlight: .cancel), effects: effects)
        #expect(again.state.all == [.urgent(1), .put(producer: 1, number: 1)])
        again.dispatch(.urgent(2))
        await again.drain()
        #expect(begun.value == ["2"])
        _ = await again.shutdown()
    }

    @Test(
        "the held effect of a plugin does not begin if the program is killed, and the next program has the plugin's actions",
        arguments: [UnfinishedEffects.forget, .restart]
    )
    func plugins(effects: UnfinishedEffects) async throws {
        let machine = Machine()
        let begun = Shared<[String]>([])
        let (store, _) = try await open(machine, noting(begun, "own "), effects: effects)
        try await store.plugins.install(noting(begun, "plugin "), as: "teller")
        machine.gate.close()
        store.dispatch(.urgent(1))
        #expect(await eventually { store.metrics.reduced == 1 && machine.gate.waiting > 0 })
        machine.kill()
        machine.gate.open()
        _ = await store.shutdown()
        #expect(begun.value.isEmpty)

        // It was written, and not synced. Plugins are installed in the running store, so only its own effect begins again.
        let (again, journal) = try await open(machine, noting(begun, "own "), effects: effects)
        #expect(again.state.all == [.urgent(1)])
        try await again.plugins.install(noting(begun, "plugin "), as: "teller")
        again.dispatch(.urgent(2))
        await again.drain()
        #expect(begun.value.sorted() == (effects == .forget ? [] : ["own 1"]) + ["own 2", "plugin 2"])
        #expect(await eventually { effects == .forget || journal.metrics.finishedEffects == 2 })
        _ = await again.shutdown()
    }

    @Test("after kill -9 a second store has the journal at once, and the first one acknowledges and runs nothing more")
    func twoStores() async throws {
        let machine = Machine()
        let (ran, begun) = (Shared<[Step]>([]), Shared<[String]>([]))
        let middleware = CombinationTests.Answering(ran: ran) <> noting(begun)
        let (first, _) = try await open(machine, middleware)
        try await first.commit(.urgent(1), producer: "p1", number: 1)
        await first.drain()
        machine.gate.close()
        let waiting = Task { try await first.commit(.urgent(2), producer: "p1", number: 2) }
        first.dispatch(.put(producer: 2, number: 1), producer: "p2", number: 1)
        #expect(await eventually { first.metrics.reduced == 3 && machine.gate.waiting > 0 })
        await #expect(throws: JournalError.locked(path: "journal")) { try await open(machine, middleware) }
        machine.kill()

        machine.gate.letPass(100)
        let (second, _) = try await open(machine, middleware)
        let found = second.state.all
        #expect(found.starts(with: [.urgent(1)]))
        machine.gate.open()
        await #expect(throws: CommitError.self) { try await waiting.value }
        await #expect(throws: CommitError.self) { try await first.commit(.urgent(3), producer: "p1", number: 3) }
        _ = await first.shutdown()
        #expect(ran.value.isEmpty && begun.value == ["1"])

        let next = await second.lastNumber(of: "p1") + 1
        try await second.commit(.urgent(9), producer: "p1", number: next)
        await second.drain()
        #expect(second.state.all == found + [.urgent(9)] && begun.value == ["1", "9"])
        _ = await second.shutdown()
        let (third, _) = try await open(machine, middleware)
        #expect(third.state.all == found + [.urgent(9)])
        _ = await third.shutdown()
    }

    @Test(
        "an effect that had not ended begins again, although a middleware before it starts none this time",
        arguments: [false, true]
    )
    func otherMiddlewares(isPlugin: Bool) async throws {
        let machine = Machine()
        let begun = Shared<[String]>([])
        let mayEnd = Shared(false)
        let gate = Gate()
        let slow = SimpleEffectMiddleware<Step, Steps>.onAction { step, _, _ in
            guard case .urgent(let number) = step else { return .doNothing }
            return .task { _ in
                begun.update { $0.append("slow \(number)") }
                while !mayEnd.value, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
                return nil
            }
        }
        func open() async throws -> (Store, Journal<Step>) {
            let first = noting(begun, isPlugin ? "never " : "quick ").gated(by: gate)
            return try await self.open(machine, first <> slow, effects: .restart)
        }
        if isPlugin { gate.close() }
        let (store, _) = try await open()
        if isPlugin { try await store.plugins.install(noting(begun, "quick "), as: "quick") }
        store.dispatch(.urgent(1))
        #expect(await eventually { begun.value.sorted() == ["quick 1", "slow 1"] })
        // Their ends are noted.
        for number in 1...20 {
            store.dispatch(.put(producer: 1, number: Int32(number)))
            try await store.journaled()
        }
        machine.kill()
        _ = await store.shutdown()
        begun.value = []
        gate.close()
        let (again, journal) = try await open()
        #expect(await eventually { begun.value == ["slow 1"] })
        mayEnd.value = true
        #expect(await eventually { journal.metrics.unfinishedEffects == 0 })
        _ = await again.shutdown()
    }
}
