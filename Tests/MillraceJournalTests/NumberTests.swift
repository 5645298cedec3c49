// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import Synchronization
import TestSupport
import Testing

@Suite("Numbered actions", .timeLimit(.minutes(5)))
struct NumberTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    @Test("an action that a full store drops keeps its number", arguments: [OverflowPolicy.dropOldest, .dropNewest])
    func droppedNumbers(overflow: OverflowPolicy) async throws {
        let disk = SlowDisk()
        let isStuck = Atomic<Bool>(true)
        let store = try await Store(
            recovering: disk.journal(),
            initialState: Sums(),
            reducer: Reducer.reduce { deed, sums in
                while case .tell = deed, isStuck.load(ordering: .acquiring) {}
                summing.reduce(deed, &sums)
            },
            capacity: .bounded(4, overflow: overflow)
        )
        store.dispatch(.tell(0))
        #expect(await eventually { store.metrics.pending == 1 })
        store.dispatch(contentsOf: (1...10).map(Deed.add), producer: "a", number: 1)
        isStuck.store(false, ordering: .releasing)
        await store.drain()
        // Each action was handled under its own number, or not at all.
        let last = await store.lastNumber(of: "a")
        #expect(store.state.deeds == Array(1...10).prefix(Int(last)).map { $0 })
        #expect(last < 10)
        // The producer repeats what is missing.
        for number in Int(last) + 1...10 {
            try await store.commit(.add(number), producer: "a", number: UInt64(number))
        }
        await store.drain()
        #expect(store.state.deeds == Array(1...10))
        _ = await store.shutdown()
    }

    @Test("a commit that a full store rejects says so, and its number can be used again")
    func notAccepted() async throws {
        let gate = DispatchSemaphore(value: 0)
        let store = try await Store(
            recovering: SlowDisk().journal(),
            initialState: Sums(),
            reducer: Reducer.reduce { deed, sums in
                if case .tell(0) = deed { gate.wait() }
                summing.reduce(deed, &sums)
            },
            capacity: .bounded(4, overflow: .dropNewest)
        )
        for number in 0..<8 { store.dispatch(.tell(number)) }
        await #expect(throws: CommitError.notAccepted) {
            try await store.commit(.add(5), producer: "a", number: 1)
        }
        gate.signal()
        await store.drain()
        let receipt = try await store.commit(.add(6), producer: "a", number: 1)
        #expect(receipt == .committed(sequence: store.metrics.reduced, durability: .grouped))
        await store.drain()
        #expect(store.state.deeds == [6])
        _ = await store.shutdown()
    }

    @Test("numbers begin at 1")
    func zero() async throws {
        let store = try await Store(recovering: SlowDisk().journal(), initialState: Sums(), reducer: summing)
        await #expect(throws: CommitError.gap(expected: 1)) {
            try await store.commit(.add(1), producer: "a", number: 0)
        }
        try await store.commit(.add(1), producer: "a", number: 1)
        await #expect(throws: CommitError.gap(expected: 2)) {
            try await store.commit(.add(1), producer: "a", number: 0)
        }
        await store.drain()
        #expect(store.state.deeds == [1])
        _ = await store.shutdown()
    }

    @Test("a forgotten producer begins at 1 again, also after a restart")
    func forgets() async throws {
        let disk = SlowDisk()
        var store = try await Store(recovering: disk.journal(), initialState: Sums(), reducer: summing)
        for number in 1...3 { try await store.commit(.add(number), producer: "a", number: UInt64(number)) }
        try await store.commit(.add(4), producer: "b", number: 1)
        #expect(await store.lastNumbers() == ["a": 3, "b": 1])
        await store.forget(producer: "a")
        await store.forget(producer: "nobody")
        #expect(await store.lastNumbers() == ["b": 1])
        await #expect(throws: CommitError.unknownProducer) {
            try await store.commit(.add(9), producer: "a", number: 4)
        }
        // The next action without a number of its own carries the fact to the journal.
        store.dispatch(.add(5))
        _ = await store.shutdown()
        disk.disk.kill()
        store = try await Store(recovering: disk.journal(), initialState: Sums(), reducer: summing)
        #expect(await store.lastNumbers() == ["b": 1])
        await store.forget(producer: "b")
        // It comes back before the journal knows that it was forgotten.
        try await store.commit(.add(6), producer: "b", number: 1)
        store.dispatch(.add(7))
        _ = await store.shutdown()
        disk.disk.kill()
        store = try await Store(recovering: disk.journal(), initialState: Sums(), reducer: summing)
        #expect(await store.lastNumbers() == ["b": 1])
        #expect(store.state.deeds == [1, 2, 3, 4, 5, 6, 7])
        _ = await store.shutdown()
    }

    @Test("forgotten producers stay forgotten if all actions have numbers, and if no action follows")
    func forgetsWithNumbers() async throws {
        let disk = SlowDisk()
        var store = try await Store(recovering: disk.journal(), initialState: Sums(), reducer: summing)
        for producer in ["a", "b", "c", "d"] { try await store.commit(.add(1), producer: producer, number: 1) }
        await store.forget(producer: "a")
        await store.forget(producer: "b")
        try await store.commit(.add(2), producer: "c", number: 2)
        disk.disk.kill()
        _ = await store.shutdown(deadline: .zero)
        store = try await Store(recovering: disk.journal(), initialState: Sums(), reducer: summing)
        #expect(await store.lastNumbers() == ["c": 2, "d": 1])
        await store.forget(producer: "d")
        _ = await store.shutdown()
        disk.disk.kill()
        store = try await Store(recovering: disk.journal(), initialState: Sums(), reducer: summing)
        #expect(await store.lastNumbers() == ["c": 2])
        try await store.commit(.add(3), producer: "d", number: 1)
        await store.drain()
        #expect(store.state.deeds == [1, 1, 1, 1, 2, 3])
        _ = await store.shutdown()
    }

    @Test("the figures tell what is recorded, durable and in the way")
    func figures() async throws {
        let disk = SlowDisk()
        let journal = try disk.journal()
        #expect(journal.metrics == JournalMetrics())
        let store = try await Store(recovering: journal, initialState: Sums(), reducer: summing)
        disk.gate.close()
        store.dispatch(.add(1))
        #expect(await eventually { disk.gate.waiting > 0 })
        store.dispatch(contentsOf: [.add(2), .add(3), .add(4)])
        #expect(await eventually { journal.metrics.recorded == 4 })
        #expect(journal.metrics.durable == 0 && journal.metrics.lag == 4)
        disk.gate.open()
        try await store.journaled()
        let metrics = journal.metrics
        #expect(metrics.durable == 4 && metrics.lag == 0 && metrics.failure == nil)
        #expect(metrics.groupSizes.count == metrics.groups && metrics.groupSizes.sum == 4)
        // A group of one action, which is in the range of its limit, and one of three.
        #expect(metrics.groupSizes.limit(of: 0.5) == 1 && metrics.groupSizes.limit(of: 1) == 4)
        #expect(metrics.syncTimes.count == metrics.syncs)
        // Nil on a machine so busy that a sync took longer than the last limit.
        #expect(metrics.syncTimes.limit(of: 1) ?? .max >= metrics.syncTimes.sum / metrics.syncs)
        let text = metrics.prometheusText(store: "a\"b")
        #expect(text.contains("millrace_journal_durable_sequence{store=\"a\\\"b\"} 4\n"))
        #expect(
            text.contains("millrace_journal_group_actions_bucket{store=\"a\\\"b\",le=\"+Inf\"} \(metrics.groups)\n")
        )
        disk.disk.fault = (disk.disk.calls + 1, .failure, lasts: true)
        store.dispatch(.add(5))
        #expect(await eventually { journal.metrics.failure != nil })
        #expect(journal.metrics.prometheusText(store: "a").contains("millrace_journal_failed{store=\"a\"} 1\n"))
        _ = await store.shutdown()
        // Its end is no newer failure.
        #expect(journal.metrics.failure != nil)
    }

    @Test(
        "when an action cannot be encoded, those before it are durable and those after it are not",
        arguments: [[Deed.add(4)], []]
    )
    func notEncodable(others: [Deed]) async throws {
        let disk = SlowDisk()
        let journal = disk.journal(NoThirteen(base: try BitwiseCodec(version: 1)))
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing
        )
        disk.gate.close()
        store.dispatch(.add(1))
        #expect(await eventually { disk.gate.waiting > 0 })
        // One group.
        store.dispatch(contentsOf: [.add(2), .add(3), .add(13)] + others)
        #expect(await eventually { store.metrics.reduced == 4 + UInt64(others.count) })
        disk.gate.open()
        #expect(await eventually { journal.metrics.failure != nil })
        await #expect(throws: CommitError.self) { try await store.journaled() }
        #expect(await eventually { store.isClosed })
        _ = await store.shutdown()
        disk.disk.kill()
        let again = try await Store(recovering: disk.journal(), initialState: Sums(), reducer: summing)
        #expect(again.state.deeds == [1, 2, 3])
        _ = await again.shutdown()
    }

    @Test("a snapshot that waits behind another one is written when that one is", arguments: [false, true])
    func waitingSnapshot(isClosed: Bool) async throws {
        let disk = SlowDisk()
        let journal = try disk.journal()
        let isStuck = Shared(true)
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            snapshots: .every(actions: 10, by: StuckCodec(base: try .codable(version: 1), isStuck: isStuck))
        )
        for number in 1...25 {
            store.dispatch(.add(number))
            try await store.journaled()
        }
        #expect(journal.metrics.snapshots == 0)
        if isClosed {
            store.close()
            try await Task.sleep(for: .milliseconds(50))
        }
        isStuck.update { $0 = false }
        #expect(await eventually { journal.metrics.snapshots == 2 })
        #expect(journal.metrics.newestSnapshot == 20)
        _ = await store.shutdown()
        #expect(journal.metrics.snapshots == 2)
    }

    @Test("a store whose last reference goes while its journal fails ends by itself")
    func releasedWhileFailing() async throws {
        // Beside other tests an end may take a second, as their long read sections end first.
        let last = ContinuousClock.now + .seconds(20)
        for round in 1...500 where round <= 20 || ContinuousClock.now < last {
            let disk = SlowDisk()
            let ended = Shared(false)
            var store: Store? = try await Store(
                recovering: disk.journal(),
                initialState: Sums(),
                reducer: summing,
                middleware: EndTeller(ended: Notice { ended.update { $0 = true } }),
                engine: .caller,
                held: .exact
            )
            disk.disk.fault = (disk.disk.calls + 2, .failure, lasts: false)
            // Waits until the journal has failed.
            store?.dispatch(.tell(1))
            store = nil
            #expect(await eventually { ended.value })
        }
    }
}

/// Calls a closure when it is released.
final class Notice: Sendable {
    private let released: @Sendable () -> Void

    init(_ released: @escaping @Sendable () -> Void) { self.released = released }

    deinit { released() }
}

/// Answers each `tell` with an IO that does nothing.
struct EndTeller: MiddlewareProtocol {
    let ended: Notice

    func handle(action: Deed, from dispatcher: ActionSource, state: @escaping GetState<Sums>) -> IO<Deed> {
        guard case .tell = action else { return .pure() }
        return IO { _ in }
    }
}

/// Cannot encode `add(13)`.
struct NoThirteen: ActionCodec {
    let base: BitwiseCodec<Deed>

    var schema: RecordSchema { base.schema }

    func kind(of action: Deed) -> Int { base.kind(of: action) }

    func encode(_ action: Deed, into output: inout RecordBuffer) throws(CodecError) {
        if action == .add(13) { throw .notEncodable(type: "Deed", reason: "it is 13") }
        try base.encode(action, into: &output)
    }

    func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Deed {
        try base.decode(bytes, route: route)
    }
}

/// Waits in each encoding until it may go on.
struct StuckCodec: StateCodec {
    let base: CodableCodec<Sums>
    let isStuck: Shared<Bool>

    var schema: RecordSchema { base.schema }

    func kind(of action: Sums) -> Int { base.kind(of: action) }

    func encode(_ action: Sums, into output: inout RecordBuffer) throws(CodecError) {
        while isStuck.value {}
        try base.encode(action, into: &output)
    }

    func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Sums {
        try base.decode(bytes, route: route)
    }
}
