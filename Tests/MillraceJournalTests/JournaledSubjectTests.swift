// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceCore
import MillraceEffects
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

private let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

@Suite("A journaled store whose state is in a subject", .timeLimit(.minutes(5)))
struct JournaledSubjectTests {
    typealias Store = ReduxStoreBase<Deed, Sums>
    typealias Subject = UnfailableReplayLastSubjectType<Sums>

    /// What the subscribers of a subject were called with.
    private final class Seen: Sendable {
        let states = Shared<[Sums]>([])
        /// Whether that was on the main queue. Not on the main thread: other threads may run that queue.
        let isMain = Shared<[Bool]>([])
        let subject: Subject

        init(_ kind: StateSubject, _ initialState: Sums = Sums()) throws {
            subject = try #require(kind.make(initialState))
            let key = mainKey
            _ = subject.publisher.subscribe(
                UnfailableSubscriberType(onValue: { [states, isMain] state in
                    states.update { $0.append(state) }
                    isMain.update { $0.append(DispatchQueue.getSpecific(key: key) == true) }
                })
            )
        }

        var deeds: [[Int]] { states.value.map(\.deeds) }
    }

    private let disk = SlowDisk()

    private func open(
        _ journal: Journal<Deed>,
        _ subject: Subject,
        _ told: Shared<[Int]> = Shared([]),
        snapshots: SnapshotPolicy<Sums> = .never,
        held: HeldWorkPolicy = .exact,
        visibility: StateVisibility = .immediate
    ) async throws -> Store {
        try await Store(
            recovering: journal,
            subject: subject,
            reducer: summing,
            middleware: Adder { number in told.update { $0.append(number) } },
            snapshots: snapshots,
            held: held,
            visibility: visibility
        )
    }

    @Test(
        "the recovered state is sent into the subject once, on the main queue, before the first action",
        arguments: [StateSubject.native, .foreign],
        [nil, SnapshotKind.copy, .shadow]
    )
    func recovers(kind: StateSubject, snapshots: SnapshotKind?) async throws {
        let policy =
            try snapshots.map { try SnapshotPolicy<Sums>.every(actions: 2, kind: $0, by: .codable(version: 1)) }
            ?? .never
        let first = try Seen(kind, Sums(sum: 100))
        let journal = try disk.journal()
        let store = try await open(journal, first.subject, snapshots: policy)
        #expect(store.engine == .main && store.recovery?.lastSequence == 0)
        for number in 1...3 { try await store.commit(.add(number), producer: "p", number: UInt64(number)) }
        #expect(try await store.commit(.add(9), producer: "p", number: 3) == .duplicate(mark: 3, durability: .grouped))
        for number in 4...6 { store.dispatch(.add(number), producer: "p", number: UInt64(number)) }
        try await store.journaled()
        await store.drain()
        #expect(first.subject.value() == Sums(sum: 121, deeds: [1, 2, 3, 4, 5, 6]))
        #expect(await eventually { snapshots == nil || journal.metrics.newestSnapshot >= 2 })
        _ = await store.shutdown()

        let second = try Seen(kind, Sums(sum: 100))
        let again = try await open(try disk.journal(), second.subject, snapshots: policy)
        #expect(again.recovery?.lastSequence == 6 && (again.recovery?.snapshot != nil) == (snapshots != nil))
        #expect(second.subject.value() == first.subject.value() && again.state == first.subject.value())
        #expect(second.deeds == [[], [1, 2, 3, 4, 5, 6]])
        #expect(await again.lastNumber(of: "p") == 6)
        try await again.commit(.add(7), producer: "p", number: 7)
        await again.drain()
        #expect(second.deeds == [[], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7]])
        #expect(second.isMain.value.dropFirst().allSatisfy { $0 })
        _ = await again.shutdown()
        #expect(second.subject.value().sum == 128)
    }

    @Test("the recovered state is the only copy: the first action changes it in place")
    func noSecondCopy() async throws {
        let places = Shared<[UInt]>([])
        let noting = Reducer<Deed, Sums>.reduce { deed, sums in
            if sums.deeds.isEmpty { sums.deeds.reserveCapacity(1_000) }
            if case .add(let number) = deed { sums.deeds.append(number) }
            let place = sums.deeds.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
            places.update { $0.append(place) }
        }
        func open() async throws -> Store {
            try await Store(
                recovering: try disk.journal(),
                subject: try #require(StateSubject.native.make(Sums())),
                reducer: noting,
                middleware: IdentityMiddleware<Deed, Deed, Sums>()
            )
        }
        let store = try await open()
        for number in 1...3 { store.dispatch(.add(number)) }
        _ = await store.shutdown()
        places.value = []
        let again = try await open()
        for number in 4...6 { again.dispatch(.add(number)) }
        await again.drain()
        #expect(places.value.count == 6 && Set(places.value).count == 1)
        _ = await again.shutdown()
    }

    @Test(
        "an IO runs when its action is durable; the subject has the state at once",
        arguments: [StateSubject.native, .foreign]
    )
    func exact(kind: StateSubject) async throws {
        let (seen, told) = (try Seen(kind), Shared<[Int]>([]))
        let store = try await open(try disk.journal(), seen.subject, told)
        disk.gate.close()
        store.dispatch(.add(1))
        store.dispatch(.add(2))
        #expect(await eventually { seen.subject.value().deeds == [1] && disk.gate.waiting > 0 })
        // The pipeline waits for the disk: the second action is not handled yet.
        #expect(told.value == [] && seen.subject.value().deeds == [1])
        disk.gate.letPass(1)
        #expect(await eventually { seen.subject.value().deeds == [1, 2] && disk.gate.waiting > 0 })
        #expect(told.value == [1])
        disk.gate.open()
        await store.drain()
        #expect(told.value == [1, 2])
        _ = await store.shutdown()
    }

    @Test(
        "held work and states that are hidden are refused when the store is made, and the journal is free afterwards",
        arguments: [(HeldWorkPolicy.held, StateVisibility.immediate), (.exact, .durable), (.held, .durable)]
    )
    func refused(held: HeldWorkPolicy, visibility: StateVisibility) async throws {
        let seen = try Seen(.native)
        let journal = try disk.journal()
        await #expect {
            try await open(journal, seen.subject, held: held, visibility: visibility)
        } throws: {
            guard case JournalError.unsupported(let reason) = $0 else { return false }
            return reason.contains("subject") && reason.contains(held == .held ? "held: .exact" : ".immediate")
        }
        #expect(seen.deeds == [[]])
        let store = try await open(journal, seen.subject)
        _ = await store.shutdown()
    }

    @Test(
        "when the disk fails, .stop closes the store and .detach goes on without the journal",
        arguments: [false, true]
    )
    func failure(goesOn: Bool) async throws {
        let (seen, told) = (try Seen(.native), Shared<[Int]>([]))
        let journal = disk.journal(try BitwiseCodec<Deed>(version: 1), onFailure: goesOn ? .detach : .stop)
        let store = try await open(journal, seen.subject, told)
        try await store.commit(.add(1), producer: "p", number: 1)
        disk.disk.fault = (disk.disk.calls + 1, .failure, lasts: false)
        await #expect(throws: CommitError.self) { try await store.commit(.add(2), producer: "p", number: 2) }
        #expect(journal.metrics.failure != nil)
        #expect(await eventually { goesOn || store.isClosed })
        store.dispatch(.add(3))
        await store.drain()
        #expect(store.isClosed != goesOn)
        #expect(told.value == (goesOn ? [1, 2, 3] : [1]))
        #expect(seen.subject.value().deeds == (goesOn ? [1, 2, 3] : [1, 2]))
        #expect(journal.metrics.droppedHeld == (goesOn ? 0 : 1))
        _ = await store.shutdown()
        disk.disk.kill()
        let again = try await open(try disk.journal(), try Seen(.native).subject)
        #expect(again.state.deeds.starts(with: [1]) && !again.state.deeds.contains(3))
        _ = await again.shutdown()
    }

    /// `tell(n)`: a task that ends when it may, and answers `found(n)`.
    private func effects(_ begun: Shared<[Int]>, _ mayEnd: Shared<Bool>) -> SimpleEffectMiddleware<Deed, Sums> {
        .onAction { deed, _, _ in
            guard case .tell(let number) = deed else { return .doNothing }
            return .task { _ in
                begun.update { $0.append(number) }
                while !mayEnd.value, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
                return .found(number)
            }
        }
    }

    private func restart(
        _ subject: Subject,
        _ begun: Shared<[Int]>,
        _ mayEnd: Shared<Bool>,
        _ reads: FailingReads? = nil
    ) async throws -> Store {
        try await Store(
            recovering: SharedFolder(disk.disk, reads: reads).journal(try BitwiseCodec(version: 1)),
            subject: subject,
            reducer: summing,
            middleware: effects(begun, mayEnd),
            effects: .restart
        )
    }

    @Test(
        "effects begin again, and nobody is called with the states of the actions that are handled again",
        arguments: [StateSubject.native, .foreign]
    )
    func restarts(kind: StateSubject) async throws {
        let (begun, mayEnd) = (Shared<[Int]>([]), Shared(false))
        let store = try await restart(try Seen(kind).subject, begun, mayEnd)
        store.dispatch(.add(1))
        store.dispatch(.tell(5))
        store.dispatch(.add(2))
        #expect(await eventually { begun.value == [5] })
        try await store.journaled()
        disk.disk.kill()
        _ = await store.shutdown()

        let seen = try Seen(kind)
        let again = try await restart(seen.subject, begun, mayEnd)
        #expect(again.recovery?.handledAgain ?? 0 >= 2)
        #expect(seen.deeds == [[], [1, 2]])
        #expect(await eventually { begun.value == [5, 5] })
        mayEnd.value = true
        #expect(await eventually { seen.subject.value().found == 5 })
        #expect(seen.deeds == [[], [1, 2], [1, 2]])
        _ = await again.shutdown()
    }

    @Test("if a recovery fails at any read, the subject is as it was")
    func failedRecovery() async throws {
        let (begun, mayEnd) = (Shared<[Int]>([]), Shared(false))
        let first = try await restart(try Seen(.native).subject, begun, mayEnd)
        first.dispatch(.tell(5))
        first.dispatch(.add(1))
        #expect(await eventually { begun.value == [5] })
        try await first.journaled()
        disk.disk.kill()
        _ = await first.shutdown()

        // Each recovery that succeeds adds a segment, and so reads, to the next one: the count stays that of this one.
        let counted = FailingReads(at: .max)
        _ = await (try await restart(try Seen(.native).subject, begun, mayEnd, counted)).shutdown()
        var failures = 0
        for number in 1...counted.passed {
            let reads = FailingReads(at: number)
            let seen = try Seen(.native)
            do {
                let store = try await restart(seen.subject, begun, mayEnd, reads)
                #expect(seen.deeds == [[], [1]], "read \(number)")
                _ = await store.shutdown()
            } catch is JournalError {
                #expect(seen.deeds == [[]], "read \(number)")
                failures += 1
            }
            #expect(reads.hasFailed)
        }
        #expect(failures > 0)
    }

    @Test("a state that other code pushes is changed by the next action, and is not in the journal")
    func pushes() async throws {
        let seen = try Seen(.native)
        let store = try await open(try disk.journal(), seen.subject)
        try await store.commit(.add(1), producer: "p", number: 1)
        seen.subject.mutate { $0.sum = 1_000 }
        try await store.commit(.add(2), producer: "p", number: 2)
        #expect(store.state.sum == 1_002)
        _ = await store.shutdown()
        let subject = try Seen(.native).subject
        let again = try await open(try disk.journal(), subject)
        #expect(subject.value() == Sums(sum: 3, deeds: [1, 2]))
        _ = await again.shutdown()
    }

    @Test("a middleware that reads the state when it is bound gets the recovered one")
    func bound() async throws {
        let store = try await open(try disk.journal(), try Seen(.native).subject)
        try await store.commit(.add(1), producer: "p", number: 1)
        _ = await store.shutdown()
        let read = Shared<[Int]>([])
        let reading = AnyMiddleware<Deed, Deed, Sums>(
            receiveContext: { state, _ in read.value = state().deeds },
            handle: { _, _, _ in .pure() }
        )
        let again = try await Store(
            recovering: try disk.journal(),
            subject: try Seen(.native).subject,
            reducer: summing,
            middleware: reading
        )
        #expect(read.value == [1])
        _ = await again.shutdown()
    }

    @Test(
        "subscribers of the store get the states that emitsValue lets through",
        arguments: [StateSubject.native, .foreign]
    )
    func filtered(kind: StateSubject) async throws {
        let store = try await Store(
            recovering: try disk.journal(),
            subject: try Seen(kind).subject,
            reducer: summing,
            middleware: IdentityMiddleware<Deed, Deed, Sums>(),
            emitsValue: .when { $0.found != $1.found }
        )
        let seen = Shared<[Int]>([])
        let subscription = store.statePublisher.subscribe(
            UnfailableSubscriberType(onValue: { state in seen.update { $0.append(state.found) } })
        )
        for number in 1...3 {
            store.dispatch(.add(number))
            store.dispatch(.found(1))
        }
        await store.drain()
        #expect(seen.value == [0, 1, 2, 3])
        subscription.unsubscribe()
        _ = await store.shutdown()
    }
}
