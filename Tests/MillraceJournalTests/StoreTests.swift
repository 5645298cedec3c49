// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceEffects
import MillraceJournal
import MillraceRecords
import Synchronization
import TestSupport
import Testing

enum Deed: BitwiseCopyable, Sendable, Equatable {
    case add(Int)
    case tell(Int)
    case found(Int)
}

struct Sums: Sendable, Equatable, Codable {
    var sum = 0
    var deeds: [Int] = []
    var found = 0
}

let summing = Reducer<Deed, Sums>.reduce { deed, sums in
    switch deed {
    case .add(let number):
        sums.sum += number
        sums.deeds.append(number)
    case .tell: break
    case .found(let number): sums.found += number
    }
}

/// A folder that is removed at the end.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.currentDirectoryPath + "/.build/journal-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func journal(_ durability: Durability = .grouped) throws -> Journal<Deed> {
        try Journal(
            directory: path + "/deeds",
            codec: .bitwise(version: 1),
            durability: durability,
            segmentBytes: 1 << 20
        )
    }
}

@Suite("A store with a journal", .timeLimit(.minutes(5)))
struct JournaledStoreTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    @Test("only a journal that waits for the disk writes zeros before it begins")
    func zerosAtTheBeginning() async throws {
        for (durability, isFull) in [(Durability.process, false), (.grouped, true)] {
            let folder = TemporaryFolder()
            let store = try await Store(
                recovering: folder.journal(durability),
                initialState: Sums(),
                reducer: summing
            )
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/deeds")
            let segment = try #require(names.first { $0.hasSuffix(".mrj") })
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/deeds/\(segment)")
            #expect((attributes[.size] as? Int == 1 << 20) == isFull)
            _ = await store.shutdown()
        }
    }

    @Test(
        "after a shutdown everything is recovered, and the sequence goes on",
        arguments: [Durability.process, .interval(.milliseconds(5)), .grouped, .every]
    )
    func recovers(durability: Durability) async throws {
        let folder = TemporaryFolder()
        for round in 1...3 {
            let store = try await Store(
                recovering: folder.journal(durability),
                initialState: Sums(),
                reducer: summing
            )
            #expect(store.recovery?.lastSequence == UInt64((round - 1) * 100))
            for number in 1...100 { store.dispatch(.add(number)) }
            try await store.journaled()
            let report = await store.shutdown()
            #expect(report.isComplete && report.metrics.reduced == 100 && report.metrics.offered == 100)
            #expect(store.state.deeds.count == round * 100)
        }
        let journal = try folder.journal()
        var sequences: [UInt64] = []
        for try await entry in journal.entries(from: 150) { sequences.append(entry.head.sequence) }
        #expect(sequences == Array(150...300))
        let then = try await journal.state(at: 150, initialState: Sums(), reducer: summing)
        #expect(then.deeds == Array(1...100) + Array(1...50))
        #expect(try await journal.verify().lastSequence == 300)
    }

    @Test("an IO and an effect run once their action is durable, in order, and drain waits for them")
    func held() async throws {
        let folder = TemporaryFolder()
        let journal = try folder.journal()
        let told = Shared<[(Int, durable: UInt64, sum: Int)]>([])
        let started = Shared<[Int]>([])
        let effects = SimpleEffectMiddleware<Deed, Sums>.onAction { deed, _, _ in
            guard case .tell(let number) = deed else { return .doNothing }
            return .fireAndForget { started.update { $0.append(number) } }
        }
        let teller = Teller { number, state in
            told.update { $0.append((number, journal.metrics.synced, state.sum)) }
        }
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: effects <> teller
        )
        for number in 1...2_000 {
            store.dispatch(.add(1))
            store.dispatch(.tell(number))
        }
        await store.drain()
        #expect(told.value.map(\.0) == Array(1...2_000))
        #expect(started.value == Array(1...2_000))
        for (number, durable, sum) in told.value {
            // The state in an IO is at or after its action, and never beyond what is durable.
            #expect(durable >= UInt64(number * 2) && sum >= number && UInt64(sum * 2) <= durable + 1)
        }
        #expect(journal.metrics.held == 0)
        _ = await store.shutdown()
    }

    @Test("an action that was cancelled in the queue has no number, and is not in the journal")
    func cancelledActions() async throws {
        let folder = TemporaryFolder()
        let (waits, goesOn, begun) = (Shared(false), Shared(false), Shared(false))
        let reducer = Reducer<Deed, Sums>.reduce { deed, sums in
            if deed == .add(2) {
                waits.value = true
                while !goesOn.value { usleep(500) }
            }
            summing.reduce(deed, &sums)
        }
        let (answers, continuation) = AsyncStream<Deed>.makeStream()
        let effects = SimpleEffectMiddleware<Deed, Sums>.onAction { deed, _, _ in
            guard case .tell = deed else { return .doNothing }
            return .stream(token: "x") { _ in
                begun.value = true
                return answers
            }
        }
        let store = try await Store(
            recovering: folder.journal(),
            initialState: Sums(),
            reducer: reducer,
            middleware: effects
        )
        store.dispatch(.tell(1))
        // The pipeline begins it when its action is durable, so before the pipeline is stopped.
        #expect(await eventually { begun.value })
        store.dispatch(.add(2))
        #expect(await eventually { waits.value })
        continuation.yield(.found(7))
        #expect(await eventually { store.metrics.offered == 3 })
        effects.cancel("x")
        goesOn.value = true
        store.dispatch(.add(3))
        await store.drain()
        #expect(store.metrics.cancelled == 1)
        _ = await store.shutdown()
        var entries: [Deed] = []
        for try await entry in try folder.journal().entries(from: 1) {
            entries.append(entry.action)
            #expect(entry.head.sequence == UInt64(entries.count))
        }
        #expect(entries == [.tell(1), .add(2), .add(3)])
    }

    @Test("numbered actions are handled once, also after a restart")
    func numbers() async throws {
        let folder = TemporaryFolder()
        func open() async throws -> Store {
            try await Store(recovering: folder.journal(), initialState: Sums(), reducer: summing)
        }
        var store = try await open()
        #expect(
            try await store.commit(.add(1), producer: "a", number: 1) == .committed(sequence: 1, durability: .grouped)
        )
        #expect(
            try await store.commit(.add(2), producer: "a", number: 2) == .committed(sequence: 2, durability: .grouped)
        )
        #expect(try await store.commit(.add(2), producer: "a", number: 2) == .duplicate(mark: 2, durability: .grouped))
        await #expect(throws: CommitError.gap(expected: 3)) {
            try await store.commit(.add(9), producer: "a", number: 4)
        }
        await #expect(throws: CommitError.unknownProducer) {
            try await store.commit(.add(9), producer: "b", number: 2)
        }
        store.dispatch(contentsOf: [.add(3), .add(4), .add(5)], producer: "a", number: 2)
        await store.drain()
        #expect(store.state.deeds == [1, 2, 4, 5])
        #expect(store.metrics.cancelled == 4)
        _ = await store.shutdown()
        await #expect(throws: CommitError.journal(.closed(path: folder.path + "/deeds"))) {
            try await store.commit(.add(1), producer: "a", number: 5)
        }
        store = try await open()
        #expect(await store.lastNumber(of: "a") == 4)
        #expect(try await store.commit(.add(5), producer: "a", number: 4) == .duplicate(mark: 4, durability: .grouped))
        #expect(
            try await store.commit(.add(6), producer: "a", number: 5) == .committed(sequence: 5, durability: .grouped)
        )
        await store.drain()
        #expect(store.state.deeds == [1, 2, 4, 5, 6])
        _ = await store.shutdown()
    }

    @Test("a recovery begins at the newest snapshot, which has the producers' numbers")
    func snapshots() async throws {
        let folder = TemporaryFolder()
        let policy = SnapshotPolicy<Sums>.every(actions: 100, by: try .codable(version: 1))
        for round in 0..<3 {
            let store = try await Store(
                recovering: folder.journal(.process),
                initialState: Sums(),
                reducer: summing,
                snapshots: policy
            )
            if round > 0 {
                #expect(store.recovery?.snapshot.map { $0 % 100 == 0 && $0 > 0 } == true)
                #expect(await store.lastNumber(of: "p") == UInt64(round * 350))
            }
            for number in 1...350 {
                store.dispatch(.add(number), producer: "p", number: UInt64(round * 350 + number))
                if number % 50 == 0 { await store.drain() }
            }
            _ = await store.shutdown()
            #expect(store.state.deeds.count == (round + 1) * 350)
        }
        let journal = try folder.journal()
        let then = try await journal.state(at: 777, initialState: Sums(), reducer: summing, snapshots: policy)
        #expect(then.deeds.count == 777)
        // From the newest snapshot on, nothing of the initial state is needed.
        let end = try await journal.state(at: 1_050, initialState: Sums(sum: 5), reducer: summing, snapshots: policy)
        #expect(end.deeds == (0..<3).flatMap { _ in 1...350 } && end.sum == end.deeds.reduce(0, +))
    }

    @Test("a cancel finds a held effect, which then never begins")
    func cancelsHeld() async throws {
        let folder = TemporaryFolder()
        let begun = Shared<[Int]>([])
        let effects = SimpleEffectMiddleware<Deed, Sums>.onAction { deed, _, _ in
            switch deed {
            case .tell(let number):
                .task(token: number) { _ in
                    begun.update { $0.append(number) }
                    return nil
                }
            case .found(let number): .toCancel(number)
            case .add: .doNothing
            }
        }
        let store = try await Store(
            recovering: folder.journal(),
            initialState: Sums(),
            reducer: summing,
            middleware: effects
        )
        // One batch: nothing of it is durable when the cancel comes.
        store.dispatch(contentsOf: (1...40).flatMap { [Deed.tell($0), $0 % 2 == 0 ? .found($0) : .add(0)] })
        await store.drain()
        #expect(await eventually { effects.runningEffects == 0 })
        #expect(begun.value.sorted() == Array(stride(from: 1, through: 39, by: 2)))
        _ = await store.shutdown()
    }

    @Test(
        "held work is refused when the store is made, if its engine or its order cannot hold it",
        arguments: [
            (StoreEngine.caller, ActionOrder.fifo), (.main, .fifo), (.queue(.global()), .fifo),
            (.thread(), .internalFirst),
        ]
    )
    func refused(engine: StoreEngine, order: ActionOrder) async throws {
        let folder = TemporaryFolder()
        await #expect {
            _ = try await Store(
                recovering: folder.journal(),
                initialState: Sums(),
                reducer: summing,
                middleware: IdentityMiddleware<Deed, Deed, Sums>(),
                engine: engine,
                order: order
            )
        } throws: {
            if case JournalError.unsupported = $0 { true } else { false }
        }
    }

    @Test(
        "with .exact each IO runs before the next action, on every engine",
        arguments: [StoreEngine.thread(), .caller]
    )
    func exact(engine: StoreEngine) async throws {
        let folder = TemporaryFolder()
        let journal = try folder.journal()
        let told = Shared<[(Int, UInt64, Int)]>([])
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: Teller { number, state in
                told.update { $0.append((number, journal.metrics.synced, state.sum)) }
            },
            engine: engine,
            order: .internalFirst,
            held: .exact
        )
        for number in 1...50 {
            store.dispatch(.add(1))
            store.dispatch(.tell(number))
        }
        await store.drain()
        #expect(told.value.map(\.0) == Array(1...50))
        #expect(told.value.allSatisfy { $0.1 >= UInt64($0.0 * 2) && $0.2 == $0.0 })
        _ = await store.shutdown()
    }

    @Test("a recovered state has the times at which its actions were handled first")
    func times() async throws {
        let folder = TemporaryFolder()
        let times = Reducer<Deed, Sums>.reduceAt { _, time, sums in sums.deeds.append(Int(time.nanosecondsSince1970)) }
        func open() async throws -> Store {
            try await Store(recovering: folder.journal(.process), initialState: Sums(), reducer: times)
        }
        let store = try await open()
        for number in 1...3 { store.dispatch(.add(number)) }
        await store.drain()
        let first = store.state
        #expect(first.deeds.count == 3 && first.deeds.allSatisfy { $0 > 0 })
        _ = await store.shutdown()
        let again = try await open()
        #expect(again.state == first)
        _ = await again.shutdown()
    }
}

/// Calls a closure in the IO of each `tell`.
struct Teller: MiddlewareProtocol {
    let tell: @Sendable (Int, Sums) -> Void

    func handle(action: Deed, from dispatcher: ActionSource, state: @escaping GetState<Sums>) -> IO<Deed> {
        guard case .tell(let number) = action else { return .pure() }
        return IO { _ in tell(number, state()) }
    }
}
