// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Millrace

/// The states as a sequence.
extension ObservationTests {
    /// The subscribers that a store has, as its pipeline sees them.
    static func subscribers<Action, State>(of core: StoreCore<Action, State>) async -> Int {
        await withCheckedContinuation { continuation in
            _ = core.send { continuation.resume(returning: core.subscribers.count) }
        }
    }

    // MARK: What is kept

    @Test("latest: what waits is the newest state, the skipped ones are counted", arguments: engines)
    func latestCoalesces(engine: StoreEngine) async {
        let store = Self.summing(engine)
        var iterator = store.states.makeAsyncIterator()
        await store.drain()
        #expect(await iterator.next() == 0)
        #expect(iterator.dropped == 0)
        store.dispatch(contentsOf: Array(repeating: 1, count: 1_000))
        await store.drain()
        #expect(await iterator.next() == 1_000)
        #expect(iterator.dropped == 999)
        store.dispatch(1)
        await store.drain()
        #expect(await iterator.next() == 1_001)
        #expect(iterator.dropped == 999)
    }

    @Test("latest: a slow consumer sees states in order, and always the last", arguments: engines)
    func latestSlowConsumer(engine: StoreEngine) async {
        let store = Self.summing(engine)
        let seen = Recorder<Int>()
        let missing = TestSupport.Shared(0)
        let states = store.states(.latest, onDrop: { count in missing.update { $0 += count } })
        let task = Task {
            for await state in states {
                seen.record(state)
                if state == 2_000 { break }
                for _ in 0..<5 { await Task.yield() }
            }
        }
        #expect(await eventually { seen.count == 1 })
        for _ in 0..<2_000 { store.dispatch(1) }
        #expect(await Self.result(of: task) != nil)
        #expect(seen.all == seen.all.sorted())
        // Elements and skipped ones are all that there were.
        #expect(seen.count + missing.value == 2_001)
    }

    @Test("bufferingAll with everyAction: every state, in order", arguments: engines)
    func bufferingAll(engine: StoreEngine) async {
        let store = Self.summing(engine)
        let states = store.states(.bufferingAll)
        let seen = Recorder<Int>()
        let task = Task {
            for await state in states {
                seen.record(state)
                if state == 10_000 { break }
            }
        }
        #expect(await eventually { seen.count == 1 })
        onThreads(4) { _ in for _ in 0..<2_500 { store.dispatch(1) } }
        #expect(await Self.result(of: task) != nil)
        #expect(seen.all == Array(0...10_000))
    }

    @Test("bounded: drops exactly what it says, and tells of each gap at its place", arguments: engines)
    func bounded(engine: StoreEngine) async {
        // Ten states are told, some are taken, five more are told, then the store ends.
        let policies: [(StateBuffering, takes: Int, [String])] = [
            (.latest, 1, ["dropped 9", "9", "dropped 4", "14"]),
            (.bufferingNewest(3), 2, ["dropped 7", "7", "8", "dropped 3", "12", "13", "14"]),
            (.bufferingNewest(100), 2, (0...14).map { "\($0)" }),
            (.bufferingOldest(3), 2, ["0", "1", "2", "dropped 7", "10", "11", "dropped 3"]),
            (.bufferingOldest(0), 1, ["0", "dropped 9", "10", "dropped 4"]),
            (.bufferingOldest(100), 2, (0...14).map { "\($0)" }),
            (.bufferingAll, 2, (0...14).map { "\($0)" }),
        ]
        for (policy, takes, expected) in policies {
            var store: ReduxStoreBase<Int, Int>? = Self.summing(engine)
            let log = Recorder<String>()
            let states = store?.states(policy, onDrop: { log.record("dropped \($0)") })
            var iterator = states?.makeAsyncIterator()
            store?.dispatch(contentsOf: Array(repeating: 1, count: 9))
            await store?.drain()
            for _ in 0..<takes {
                if let state = await iterator?.next() { log.record("\(state)") }
            }
            store?.dispatch(contentsOf: Array(repeating: 1, count: 5))
            await store?.drain()
            store = nil
            while let state = await iterator?.next() { log.record("\(state)") }
            #expect(log.all == expected, "\(policy)")
            let dropped = expected.filter { $0.hasPrefix("dropped ") }.compactMap { Int($0.dropFirst(8)) }
            #expect(iterator?.dropped == dropped.reduce(0, +))
        }
    }

    @Test("select: values that changed, and none for another slice", arguments: engines)
    func statesOfSlice(engine: StoreEngine) async {
        var store: ReduxStoreBase<Slice, Slices>? = ReduxStoreBase(
            initialState: Slices(),
            reducer: Self.count,
            engine: engine,
            publication: .everyAction
        )
        var changed = store?.states(.bufferingAll, select: \.second).makeAsyncIterator()
        var even = store?.states(.bufferingAll, select: \.second, removeDuplicates: { $0 / 2 == $1 / 2 })
            .makeAsyncIterator()
        store?.dispatch(contentsOf: [.first, .second, .first, .first, .second, .second])
        store = nil
        var seen: [[Int]] = [[], []]
        while let value = await changed?.next() { seen[0].append(value) }
        while let value = await even?.next() { seen[1].append(value) }
        #expect(seen == [[0, 1, 2, 3], [0, 2]])
    }

    // MARK: How it ends

    @Test("ends when the store was released, after all that it did until then", arguments: engines)
    func endsOnRelease(engine: StoreEngine) async {
        for count in [0, 1, 1_000] {
            var store: ReduxStoreBase<Int, Int>? = Self.summing(engine)
            let begun = TestSupport.Shared(false)
            let task = Task { [states = store?.states(.bufferingAll)] in
                var seen: [Int] = []
                guard let states else { return seen }
                for await state in states {
                    seen.append(state)
                    begun.value = true
                }
                return seen
            }
            #expect(await eventually { begun.value })
            store?.dispatch(contentsOf: Array(repeating: 1, count: count))
            store = nil
            #expect(await Self.result(of: task) == Array(0...count))
        }
    }

    @Test("keeps neither the store nor its pipeline alive; one made too late is empty", arguments: engines)
    func keepsNothingAlive(engine: StoreEngine) async throws {
        weak var core: StoreCore<Int, Int>?
        var store: ReduxStoreBase<Int, Int>? = Self.summing(engine)
        core = store?.core
        let states = try #require(store?.states)
        var iterator = states.makeAsyncIterator()
        await store?.drain()
        store = nil
        #expect(await eventually { core == nil })
        #expect(await iterator.next() == 0)
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
        var late = states.makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("ends when the task is cancelled, while it waits and with states that wait", arguments: engines)
    func endsOnCancellation(engine: StoreEngine) async {
        let store = Self.summing(engine)
        for isWaiting in [true, false] {
            let gate = Recorder<Int>()
            let task = Task { [states = store.states(.bufferingAll)] in
                var seen = 0
                for await state in states {
                    seen += 1
                    gate.record(state)
                    if !isWaiting { while !Task.isCancelled { await Task.yield() } }
                }
                return seen
            }
            #expect(await eventually { gate.count == 1 })
            if !isWaiting {
                store.dispatch(contentsOf: [1, 1, 1])
                await store.drain()
            }
            task.cancel()
            #expect(await Self.result(of: task) == 1)
            #expect(await Self.subscribers(of: store.core) == 0)
        }
    }

    /// Something that a subscription holds.
    final class Held: Sendable {
        let factor = 1
    }

    @Test("leaving the loop unsubscribes, and lets go what it held", arguments: engines)
    func leavingUnsubscribes(engine: StoreEngine) async {
        let store = Self.summing(engine)
        weak var held: Held?
        do {
            let factor = Held()
            held = factor
            for await state in store.states(select: { $0 * factor.factor }) {
                #expect(state == 0)
                #expect(await Self.subscribers(of: store.core) == 1)
                break
            }
        }
        #expect(await Self.subscribers(of: store.core) == 0)
        #expect(await eventually { held == nil })
        // Inside `withState` a queue is drained by another thread; an iterator that nobody used goes as well.
        store.withState { _ in _ = store.states.makeAsyncIterator() }
        #expect(await Self.subscribers(of: store.core) == 0)
    }

    @Test("many iterators of one sequence, each with all the states", arguments: engines)
    func manyIterators(engine: StoreEngine) async {
        var store: ReduxStoreBase<Int, Int>? = Self.summing(engine)
        let begun = TestSupport.Shared(0)
        let tasks = (0..<50).map { _ in
            Task { [states = store?.states(.bufferingAll)] in
                var seen: [Int] = []
                guard let states else { return seen }
                for await state in states {
                    if seen.isEmpty { begun.update { $0 += 1 } }
                    seen.append(state)
                }
                return seen
            }
        }
        #expect(await eventually { begun.value == 50 })
        for _ in 0..<200 { store?.dispatch(1) }
        store = nil
        for task in tasks { #expect(await Self.result(of: task) == Array(0...200)) }
    }

    // MARK: The buffer

    /// Comes back to the buffer that lets it go.
    final class Returning: Sendable {
        let buffer: StateBuffer<Returning>

        init(_ buffer: StateBuffer<Returning>) {
            self.buffer = buffer
        }

        deinit {
            buffer.close()
        }
    }

    @Test("a state that comes back to the buffer when it is destroyed finds no lock held")
    func destroyedOutsideLock() {
        for policy in [StateBuffering.latest, .bufferingOldest(1), .bufferingAll] {
            let buffer = StateBuffer<Returning>(policy)
            buffer.push(Returning(buffer))
            buffer.push(Returning(buffer))
            buffer.close()
            guard case .end(dropped: 0) = buffer.take() else {
                Issue.record("\(policy): not closed")
                continue
            }
        }
    }

    @Test("two tasks that wait on one iterator stop the program")
    func twoConsumers() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let buffer = StateBuffer<Int>(.latest)
            async let first: Void = buffer.wait()
            async let second: Void = buffer.wait()
            _ = await (first, second)
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("two tasks wait for one iterator of a store's states"))
    }
}
