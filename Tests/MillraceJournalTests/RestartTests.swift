// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Millrace
import MillraceCore
import MillraceEffects
import MillraceJournal
import MillraceRecords
import TestSupport
import Testing

/// A store whose effects wait until they are let go, and the copies of its journal as a crash would leave them.
@Suite("Effects that had not ended begin again", .timeLimit(.minutes(5)))
struct RestartTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    /// What the effects of all lives of the store have done.
    final class Outside: Sendable {
        /// The numbers and keys of the effects that have begun.
        let begun = Shared<[(number: Int, key: EffectKey?)]>([])
        /// The numbers of the effects that may end.
        let allowed = Shared<Set<Int>>([])
        let told = Shared<[Int]>([])

        /// `tell(n)`: a task that ends when it may, and answers `found(n)`. `tell(-n)`: cancels that task.
        func effects() -> SimpleEffectMiddleware<Deed, Sums> {
            .onAction { [self] deed, _, _ in
                guard case .tell(let number) = deed else { return .doNothing }
                if number < 0 { return .toCancel(-number) }
                return .task(token: number) { [self] _ in
                    begun.update { $0.append((number, EffectKey.current)) }
                    while !allowed.value.contains(number), !Task.isCancelled {
                        try? await Task.sleep(for: .milliseconds(1))
                    }
                    return .found(number)
                }
            }
        }

        var numbers: [Int] { begun.value.map(\.number) }
    }

    let folder = TemporaryFolder()

    func open(
        _ name: String,
        _ outside: Outside,
        effects: UnfinishedEffects = .restart,
        engine: StoreEngine = .thread(),
        order: ActionOrder = .fifo,
        held: HeldWorkPolicy = .held,
        snapshots: SnapshotPolicy<Sums> = .never,
        durability: Durability = .grouped
    ) async throws -> (Store, Journal<Deed>) {
        let journal = try Journal<Deed>(
            directory: "\(folder.path)/\(name)",
            codec: .bitwise(version: 1),
            durability: durability,
            segmentBytes: 1 << 16
        )
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: outside.effects() <> Adder { number in outside.told.update { $0.append(number) } },
            engine: engine,
            order: order,
            snapshots: snapshots,
            held: held,
            effects: effects
        )
        return (store, journal)
    }

    /// Copies the files of a store that runs, as `kill -9` would leave them.
    func crash(_ name: String, to copy: String) throws {
        let (from, to) = ("\(folder.path)/\(name)", "\(folder.path)/\(copy)")
        try FileManager.default.createDirectory(atPath: to, withIntermediateDirectories: false)
        // Snapshots first: the journal must be at least as new as they are.
        let names = try FileManager.default.contentsOfDirectory(atPath: from).filter { !$0.hasSuffix(".tmp") }
        for name in names.sorted(by: { $0.hasSuffix(".mrs") && !$1.hasSuffix(".mrs") }) {
            try FileManager.default.copyItem(atPath: "\(from)/\(name)", toPath: "\(to)/\(name)")
        }
    }

    /// The ends that the files say.
    private func ends(_ name: String) throws -> Set<UInt64> {
        let reader = try JournalReader(DiskFolder(path: "\(folder.path)/\(name)", create: false))
        var ends: Set<UInt64> = []
        while let record = try reader.next() {
            guard case .reserved(let kind) = record.content else { continue }
            if case .effectEnd(let sequence, let index, _)? = JournalRecord(kind: kind, record.bytes) {
                ends.formUnion(index == .max ? Set(sequence == .max ? 0...0 : 0...sequence) : [sequence])
            }
        }
        return ends
    }

    @Test(
        "the one that had not ended begins again, with its key; the others do not, and IOs do not",
        arguments: [
            (StoreEngine.thread(), ActionOrder.fifo, HeldWorkPolicy.held),
            (.thread(), .internalFirst, .exact), (.caller, .fifo, .exact),
            (.queue(DispatchQueue(label: "restart")), .fifo, .exact),
        ],
        [false, true]
    )
    func restarts(
        _ kind: (engine: StoreEngine, order: ActionOrder, held: HeldWorkPolicy),
        hasSnapshots: Bool
    ) async throws {
        let outside = Outside()
        let snapshots: SnapshotPolicy<Sums> = hasSnapshots ? try .every(actions: 2, by: .codable(version: 1)) : .never
        let (store, _) = try await open(
            "a",
            outside,
            engine: kind.engine,
            order: kind.order,
            held: kind.held,
            snapshots: snapshots
        )
        for number in 1...3 {
            store.dispatch(.add(number))
            store.dispatch(.tell(number))
        }
        #expect(await eventually { outside.begun.value.count == 3 })
        outside.allowed.value = [1, 3]
        #expect(await eventually { store.state.found == 4 })
        #expect(await eventually { (try? ends("a"))?.isSuperset(of: [2, 6]) == true })
        try crash("a", to: "b")
        let key = try #require(outside.begun.value.first { $0.number == 2 }?.key)
        #expect(key.sequence == 4 && key.index == 0 && key.journal.count == 32)
        outside.begun.value = []
        outside.told.value = []

        let (again, journal) = try await open(
            "b",
            outside,
            engine: kind.engine,
            order: kind.order,
            held: kind.held,
            snapshots: snapshots
        )
        #expect(again.state.deeds == [1, 2, 3] && again.state.found == 4)
        // From tell(2) on: it, add(3), tell(3) and two answers.
        #expect(again.recovery?.handledAgain == 5)
        #expect(await eventually { outside.begun.value.count == 1 })
        #expect(outside.begun.value.first?.key == key)
        #expect(journal.metrics.unfinishedEffects == 1)
        #expect(journal.metrics.recorded == again.recovery?.lastSequence, "actions that are handled again count")
        outside.allowed.value = [2]
        #expect(await eventually { again.state.found == 6 })
        #expect(await eventually { (try? ends("b"))?.contains(4) == true })
        #expect(outside.numbers == [2] && outside.told.value == [])
        _ = await again.shutdown()

        let (third, _) = try await open("b", outside, snapshots: snapshots)
        #expect(third.state == again.state)
        third.dispatch(.add(9))
        #expect(await eventually { outside.told.value == [9] })
        #expect(outside.numbers == [2])
        _ = await third.shutdown()
        outside.allowed.value = [1, 2, 3]
        _ = await store.shutdown()
    }

    @Test("of two effects of one action, the one that had not ended begins again")
    func twoOfOneAction() async throws {
        let (first, second) = (Outside(), Outside())
        func open(_ name: String) async throws -> Store {
            try await Store(
                recovering: Journal<Deed>(directory: "\(folder.path)/\(name)", codec: .bitwise(version: 1)),
                initialState: Sums(),
                reducer: summing,
                middleware: first.effects() <> second.effects(),
                effects: .restart
            )
        }
        let store = try await open("a")
        store.dispatch(.tell(1))
        #expect(await eventually { first.numbers == [1] && second.numbers == [1] })
        first.allowed.value = [1]
        #expect(await eventually { (try? ends("a"))?.contains(1) == true })
        try crash("a", to: "b")
        (first.begun.value, second.begun.value) = ([], [])
        let again = try await open("b")
        #expect(await eventually { second.numbers == [1] })
        #expect(first.numbers == [])
        second.allowed.value = [1]
        #expect(await eventually { again.state.found == 2 })
        _ = await again.shutdown()
        _ = await store.shutdown()
    }

    @Test("an effect that a later action has cancelled does not begin again")
    func cancelled() async throws {
        let outside = Outside()
        let (store, _) = try await open("a", outside)
        store.dispatch(.tell(1))
        store.dispatch(.tell(2))
        #expect(await eventually { outside.begun.value.count == 2 })
        store.dispatch(.tell(-1))
        try await store.journaled()
        try crash("a", to: "b")
        outside.begun.value = []
        let (again, _) = try await open("b", outside)
        #expect(await eventually { outside.numbers == [2] })
        #expect((2...3).contains(again.recovery?.handledAgain ?? 0))
        outside.allowed.value = [1, 2]
        #expect(await eventually { again.state.found == 2 })
        _ = await again.shutdown()
        _ = await store.shutdown()
    }

    @Test("what middlewares dispatch in `handle` while actions are handled again is dropped")
    func dispatchesInHandle() async throws {
        /// Answers `tell(n)` from within `handle`.
        func echo() -> AnyMiddleware<Deed, Deed, Sums> {
            let answers = Shared<AnyActionHandler<Deed>?>(nil)
            return AnyMiddleware(
                receiveContext: { _, output in answers.value = output },
                handle: { deed, _, _ in
                    if case .tell(let number) = deed { answers.value?.dispatch(.add(number * 10)) }
                    return .pure()
                }
            )
        }
        let outside = Outside()
        func open(_ name: String) async throws -> Store {
            try await Store(
                recovering: Journal<Deed>(directory: "\(folder.path)/\(name)", codec: .bitwise(version: 1)),
                initialState: Sums(),
                reducer: summing,
                middleware: echo() <> outside.effects(),
                effects: .restart
            )
        }
        let store = try await open("a")
        store.dispatch(.tell(1))
        #expect(await eventually { store.state.deeds == [10] && !outside.begun.value.isEmpty })
        try await store.journaled()
        try crash("a", to: "b")
        let again = try await open("b")
        #expect(again.recovery?.handledAgain == 2)
        again.dispatch(.tell(2))
        await again.drain()
        #expect(again.state.deeds == [10, 20])
        outside.allowed.value = [1, 2]
        #expect(await eventually { again.state.found == 3 })
        _ = await again.shutdown()
        _ = await store.shutdown()
    }

    @Test(
        "what a middleware dispatches when it is bound is handled after the recorded actions, and its effects begin",
        .timeLimit(.minutes(5)),
        arguments: [
            (StoreEngine.thread(), HeldWorkPolicy.held), (.thread(), .exact), (.caller, .exact),
            (.queue(DispatchQueue(label: "bound")), .exact),
        ]
    )
    func dispatchesWhenBound(_ engine: StoreEngine, _ held: HeldWorkPolicy) async throws {
        let outside = Outside()
        let number = Shared(1)
        func open(_ name: String) async throws -> Store {
            let greeting = AnyMiddleware<Deed, Deed, Sums>(
                receiveContext: { _, output in
                    output.dispatch(.add(number.value))
                    output.dispatch(.tell(number.value))
                },
                handle: { _, _, _ in .pure() }
            )
            return try await Store(
                recovering: Journal<Deed>(directory: "\(folder.path)/\(name)", codec: .bitwise(version: 1)),
                initialState: Sums(),
                reducer: summing,
                middleware: greeting <> outside.effects(),
                engine: engine,
                held: held,
                effects: .restart
            )
        }
        let store = try await open("a")
        #expect(await eventually { outside.numbers == [1] })
        try await store.journaled()
        try crash("a", to: "b")
        number.value = 2
        let again = try await open("b")
        #expect(await eventually { outside.numbers == [1, 1, 2] })
        await again.drain()
        #expect(again.state.deeds == [1, 2])
        outside.allowed.value = [1, 2]
        #expect(await eventually { again.state.found == 3 })
        _ = await again.shutdown()
        _ = await store.shutdown()
    }

    @Test(
        "what a middleware dispatches when it is bound comes before the actions of effects that begin again",
        arguments: [(StoreEngine.thread(), HeldWorkPolicy.held), (.caller, .exact)]
    )
    func boundFirst(_ engine: StoreEngine, _ held: HeldWorkPolicy) async throws {
        let outside = Outside()
        let (store, _) = try await open("a", outside)
        store.dispatch(.tell(1))
        #expect(await eventually { outside.numbers == [1] })
        try await store.journaled()
        try crash("a", to: "b")
        let order = Recorder<Deed>()
        let noting = Reducer<Deed, Sums>.reduce { deed, _ in order.record(deed) }
        let greeting = AnyMiddleware<Deed, Deed, Sums>(
            receiveContext: { _, output in output.dispatch(.add(5)) },
            handle: { _, _, _ in .pure() }
        )
        let answering = SimpleEffectMiddleware<Deed, Sums>.onAction { deed, _, _ in
            if case .tell(let number) = deed { .just(.found(number)) } else { .doNothing }
        }
        let again = try await Store(
            recovering: Journal<Deed>(directory: "\(folder.path)/b", codec: .bitwise(version: 1)),
            initialState: Sums(),
            reducer: noting <> summing,
            middleware: greeting <> answering,
            engine: engine,
            held: held,
            effects: .restart
        )
        #expect(await eventually { again.state.found == 1 })
        #expect(order.all.suffix(2) == [.add(5), .found(1)])
        outside.allowed.value = [1]
        _ = await again.shutdown()
        _ = await store.shutdown()
    }

    @Test(
        "snapshots and segments are kept that the oldest effect needs, and removed when it has ended",
        arguments: [SnapshotKind.copy, .shadow]
    )
    func retention(kind: SnapshotKind) async throws {
        let outside = Outside()
        let snapshots = try SnapshotPolicy<Sums>.every(
            actions: 100,
            removesSegments: true,
            kind: kind,
            by: .codable(version: 1)
        )
        let (store, journal) = try await open("a", outside, snapshots: snapshots)
        store.dispatch(.add(0))
        store.dispatch(.tell(7))
        func go(_ numbers: ClosedRange<Int>) async throws {
            for number in numbers {
                store.dispatch(.add(number))
                if number % 50 == 0 { try await store.journaled() }
            }
        }
        try await go(1...2_000)
        #expect(await eventually { journal.metrics.snapshots > 2 })
        try crash("a", to: "b")
        outside.begun.value = []
        let (again, _) = try await open("b", outside, snapshots: snapshots)
        #expect(again.state.deeds == Array(0...2_000))
        #expect(await eventually { outside.numbers == [7] })
        #expect(again.recovery?.handledAgain == 2_001 && again.recovery?.snapshot == nil)
        _ = await again.shutdown()

        outside.allowed.value = [7]
        #expect(await eventually { store.state.found == 7 })
        #expect(await eventually { journal.metrics.finishedEffects ?? 0 > 2_000 })
        let before = journal.metrics.snapshots
        var last = 4_000
        try await go(2_001...last)
        // While a snapshot is being taken no other one begins, and a busy machine takes long: more actions bring more.
        #expect(
            await eventually {
                if journal.metrics.snapshots > before + 2 { return true }
                try? await go(last + 1...last + 100)
                last += 100
                return false
            }
        )
        func kept() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/a").filter { $0.hasSuffix(".mrs") }
        }
        #expect(await eventually { (try? kept().count).map { $0 <= 3 } == true })
        _ = await store.shutdown()
        let (third, _) = try await open("a", outside, snapshots: snapshots)
        #expect(third.state.deeds == Array(0...last) && (third.recovery?.snapshot ?? 0) > 2_000)
        _ = await third.shutdown()
    }

    @Test("after a store has forgotten effects, those from before it never begin again")
    func forgetting() async throws {
        let outside = Outside()
        let (store, _) = try await open("a", outside)
        store.dispatch(.tell(1))
        #expect(await eventually { outside.numbers == [1] })
        try await store.journaled()
        try crash("a", to: "b")
        outside.begun.value = []
        let (second, _) = try await open("b", outside, effects: .forget)
        #expect(second.recovery?.handledAgain == 0)
        second.dispatch(.add(1))
        try await second.journaled()
        _ = await second.shutdown()
        let (third, _) = try await open("b", outside)
        #expect(third.recovery?.handledAgain == 0)
        #expect(outside.numbers == [])
        third.dispatch(.tell(5))
        #expect(await eventually { outside.numbers == [5] })
        #expect(outside.begun.value.first?.key?.sequence == 3)
        outside.allowed.value = [1, 5]
        _ = await third.shutdown()
        _ = await store.shutdown()
    }

    @Test("an effect that the shutdown has cancelled begins again at the next start")
    func shutdown() async throws {
        let outside = Outside()
        let (store, _) = try await open("a", outside)
        store.dispatch(.tell(1))
        #expect(await eventually { outside.numbers == [1] })
        _ = await store.shutdown()
        let (again, _) = try await open("a", outside)
        #expect(await eventually { outside.numbers == [1, 1] })
        #expect(Set(outside.begun.value.map(\.key)).count == 1)
        outside.allowed.value = [1]
        #expect(await eventually { again.state.found == 1 })
        _ = await again.shutdown()
    }

    @Test("an effect whose answer was dropped at the deadline of a shutdown begins again")
    func droppedAnswer() async throws {
        let outside = Outside()
        let isBlocked = Shared(true)
        let blocking = Reducer<Deed, Sums>.reduce { deed, _ in
            while case .add(99) = deed, isBlocked.value { usleep(1_000) }
        }
        func open() async throws -> (Store, Journal<Deed>) {
            let journal = try Journal<Deed>(directory: "\(folder.path)/a", codec: .bitwise(version: 1))
            let store = try await Store(
                recovering: journal,
                initialState: Sums(),
                reducer: summing <> blocking,
                middleware: outside.effects(),
                effects: .restart
            )
            return (store, journal)
        }
        let (store, journal) = try await open()
        store.dispatch(.tell(1))
        #expect(await eventually { outside.numbers == [1] })
        store.dispatch(.add(99))
        outside.allowed.value = [1]
        // The answer waits behind the action that does not end.
        #expect(await eventually { store.metrics.pending >= 1 && store.metrics.offered == 3 })
        #expect(await eventually { journal.metrics.unfinishedEffects == 0 })
        let report = await store.shutdown(deadline: .milliseconds(50))
        #expect(!report.isComplete || report.dropped > 0)
        isBlocked.value = false
        await store.ended()
        let (again, _) = try await open()
        #expect(await eventually { again.state.found == 1 })
        #expect(outside.numbers == [1, 1])
        _ = await again.shutdown()
    }

    @Test("the times of `reduceAt` are those of the first time")
    func times() async throws {
        let outside = Outside()
        let times = Reducer<Deed, Sums>.reduceAt { deed, time, sums in
            if case .add = deed { sums.deeds.append(Int(time.nanosecondsSince1970)) }
        }
        func open(_ name: String) async throws -> Store {
            try await Store(
                recovering: Journal<Deed>(directory: "\(folder.path)/\(name)", codec: .bitwise(version: 1)),
                initialState: Sums(),
                reducer: times,
                middleware: outside.effects(),
                effects: .restart
            )
        }
        let store = try await open("a")
        store.dispatch(.tell(1))
        store.dispatch(.add(1))
        try await store.journaled()
        await store.drain()
        try crash("a", to: "b")
        let again = try await open("b")
        #expect(again.recovery?.handledAgain == 2)
        #expect(again.state == store.state && again.state.deeds.count == 1)
        outside.allowed.value = [1]
        _ = await again.shutdown()
        _ = await store.shutdown()
    }
}
