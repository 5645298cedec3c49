// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@testable import Millrace

/// Subscribers: which states they are told, and how they end.
@Suite("Observation", .serialized, .timeLimit(.minutes(5)))
struct ObservationTests {
    struct Slices: Sendable {
        var first = 0
        var second = 0
    }

    enum Slice: Sendable {
        case first, second
    }

    static let sum = Reducer<Int, Int>.reduce { action, state in state += action }
    static let count = Reducer<Slice, Slices>.reduce { action, state in
        switch action {
        case .first: state.first += 1
        case .second: state.second += 1
        }
    }

    static func summing(_ engine: StoreEngine) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(initialState: 0, reducer: sum, engine: engine, publication: .everyAction)
    }

    /// What a task gives; nil, rather than to wait for ever, when it does not end.
    static func result<Value: Sendable>(of task: Task<Value, Never>) async -> Value? {
        let result = TestSupport.Shared<[Value]>([])
        Task { result.value = [await task.value] }
        guard await eventually({ !result.value.isEmpty }) else { return nil }
        return result.value.first
    }

    /// A subscriber that stops in its second call until it is told to go on, on a thread of the dispatcher's own.
    final class Blocked: Sendable {
        let log = Recorder<String>()
        private let gate = Latch()
        let isInside = TestSupport.Shared(false)
        let subscription = TestSupport.Shared<StateSubscription?>(nil)

        init(_ store: ReduxStoreBase<Int, Int>) {
            subscription.value = store.subscribe { [self] state in
                if state == 1 {
                    isInside.value = true
                    gate.wait()
                }
                log.record("told \(state)")
            }
            Thread.detachNewThread { store.dispatch(1) }
        }

        func goOn() { gate.open() }
    }

    // MARK: select

    @Test("select: no call for 100,000 actions that touch another slice", arguments: engines)
    func selectOtherSlice(engine: StoreEngine) async {
        let store = ReduxStoreBase(
            initialState: Slices(),
            reducer: Self.count,
            engine: engine,
            publication: .everyAction
        )
        let told = Recorder<Int>()
        store.subscribe(select: \.second) { told.record($0) }
        await store.drain()
        store.dispatch(contentsOf: Array(repeating: .first, count: 100_000))
        await store.drain()
        #expect(told.all == [0])
        store.dispatch(contentsOf: [.second, .first, .second])
        await store.drain()
        #expect(told.all == [0, 1, 2])
    }

    @Test("select: what is a duplicate is asked of the value told last and the new one", arguments: engines)
    func selectComparesWithLast(engine: StoreEngine) async {
        let store = Self.summing(engine)
        let told = Recorder<Int>()
        let asked = Recorder<[Int]>()
        store.subscribe(
            select: { $0 * 10 },
            removeDuplicates: { last, new in
                asked.record([last, new])
                return new - last < 25
            },
            { told.record($0) }
        )
        store.dispatch(contentsOf: [1, 1, 1, 1])
        await store.drain()
        #expect(told.all == [0, 30])
        #expect(asked.all == [[0, 10], [0, 20], [0, 30], [30, 40]])
    }

    final class Reference {
        var value = 0
    }

    @Test("select: of a state that is not Sendable", arguments: engines)
    func selectNotSendable(engine: StoreEngine) async {
        let store = ReduxStoreBase(
            initialState: Reference(),
            reducer: Reducer<Int, Reference>.reduce { action, state in state.value += action },
            engine: engine,
            publication: .everyAction
        )
        let told = Recorder<Int>()
        store.subscribe(select: { $0.value }, { told.record($0) })
        store.dispatch(contentsOf: [1, 0, 1])
        await store.drain()
        #expect(told.all == [0, 1, 2])
    }

    // MARK: unsubscribe

    @Test("unsubscribed by an older subscriber: not called with the same state any more", arguments: engines)
    func unsubscribedByAnother(engine: StoreEngine) async {
        let store = Self.summing(engine)
        let told = Recorder<Int>()
        let second = TestSupport.Shared<StateSubscription?>(nil)
        store.subscribe { if $0 == 2 { second.value?.unsubscribe() } }
        second.value = store.subscribe { told.record($0) }
        await store.drain()
        store.dispatch(contentsOf: [1, 1, 1])
        await store.drain()
        #expect(told.all == [0, 1])
    }

    @Test("unsubscribed inside withState, and twice: what the subscriber holds goes", arguments: engines)
    func unsubscribedInReadSection(engine: StoreEngine) async {
        let store = Self.summing(engine)
        weak var weakly: Recorder<Int>?
        do {
            let told = Recorder<Int>()
            weakly = told
            let subscription = store.subscribe { told.record($0) }
            await store.drain()
            store.withState { _ in subscription.unsubscribe() }
            subscription.unsubscribe()
            store.dispatch(1)
            await store.drain()
            #expect(told.all == [0])
        }
        #expect(await eventually { weakly == nil })
    }

    // MARK: cancel

    @Test("cancel waits for the call in flight, whoever and how many ask", arguments: engines)
    func cancelWaits(engine: StoreEngine) async throws {
        for _ in 0..<20 {
            let store = Self.summing(engine)
            let blocked = Blocked(store)
            #expect(await eventually { blocked.isInside.value })
            let subscription = try #require(blocked.subscription.value)
            let tasks = (0..<4).map { _ in
                Task {
                    await subscription.cancel()
                    blocked.log.record("cancelled")
                }
            }
            // A task that is cancelled itself waits, too.
            tasks[0].cancel()
            #expect(await eventually { subscription.isCancelled })
            // What returns too early has time to say so.
            for _ in 0..<100 { await Task.yield() }
            blocked.goOn()
            for task in tasks { _ = try #require(await Self.result(of: task)) }
            #expect(blocked.log.all == ["told 0", "told 1"] + Array(repeating: "cancelled", count: 4))
            await subscription.cancel()
            store.dispatch(1)
            await store.drain()
            #expect(blocked.log.all.filter { $0 != "cancelled" } == ["told 0", "told 1"])
        }
    }

    @Test("cancelled before its first call: never called, and cancel does not wait for the queue", arguments: engines)
    func cancelBeforeFirstCall(engine: StoreEngine) async {
        let store = Self.summing(engine)
        let blocked = Blocked(store)
        #expect(await eventually { blocked.isInside.value })
        let told = Recorder<Int>()
        let subscription = store.subscribe { told.record($0) }
        // Returns though the pipeline stands.
        await subscription.cancel()
        blocked.goOn()
        await store.drain()
        store.dispatch(1)
        await store.drain()
        #expect(told.all == [])
    }

    @Test("cancel from a task that the subscriber itself started", arguments: engines)
    func cancelFromInside(engine: StoreEngine) async {
        let store = Self.summing(engine)
        let itself = TestSupport.Shared<StateSubscription?>(nil)
        let log = Recorder<String>()
        itself.value = store.subscribe { state in
            guard state == 1 else { return }
            Task {
                await itself.value?.cancel()
                log.record("cancelled")
            }
            // On, once the task is under way.
            while itself.value?.isCancelled == false { sched_yield() }
            log.record("returns")
        }
        await store.drain()
        Thread.detachNewThread { store.dispatch(contentsOf: [1, 0, 0]) }
        #expect(await eventually { log.count >= 2 })
        await store.drain()
        #expect(log.all == ["returns", "cancelled"])
    }

    @Test("a call that comes to its turn after the end does not run")
    func callAfterEnd() async {
        let removed = TestSupport.Shared(0)
        let subscription = StateSubscription { _ in removed.update { $0 += 1 } }
        let log = Recorder<String>()
        subscription.call { log.record("before") }
        subscription.call {
            subscription.unsubscribe()
            log.record("ends it")
        }
        subscription.call { log.record("after") }
        await subscription.cancel()
        #expect(log.all == ["before", "ends it"])
        #expect(removed.value == 1)
    }

    @Test("cancel returns when the pipeline is idle, and when it has gone", arguments: engines)
    func cancelAtRest(engine: StoreEngine) async throws {
        var store: ReduxStoreBase<Int, Int>? = Self.summing(engine)
        let idle = try #require(store?.subscribe { _ in })
        let late = try #require(store?.subscribe { _ in })
        await store?.drain()
        await idle.cancel()
        await idle.cancel()
        let core = try #require(store?.core)
        store = nil
        #expect(await eventually { core.consumer.isFinished })
        await late.cancel()
        #expect(late.isCancelled)
    }

    @Test("cancel while the store ends waits for the last call", arguments: engines)
    func cancelWhileEnding(engine: StoreEngine) async throws {
        var store: ReduxStoreBase<Int, Int>? = Self.summing(engine)
        let blocked = Blocked(try #require(store))
        store = nil
        #expect(await eventually { blocked.isInside.value })
        let subscription = try #require(blocked.subscription.value)
        let task = Task {
            await subscription.cancel()
            blocked.log.record("cancelled")
        }
        #expect(await eventually { subscription.isCancelled })
        for _ in 0..<100 { await Task.yield() }
        blocked.goOn()
        _ = try #require(await Self.result(of: task))
        #expect(blocked.log.all == ["told 0", "told 1", "cancelled"])
    }

    @Test("after cancel no call ever, with eight threads that dispatch", arguments: engines)
    func cancelRace(engine: StoreEngine) async {
        let store = Self.summing(engine)
        let tooLate = TestSupport.Shared(0)
        for round in 0..<100 {
            let finished = TestSupport.Shared(false)
            Thread.detachNewThread {
                onThreads(8) { _ in for _ in 0..<40 { store.dispatch(1) } }
                finished.value = true
            }
            let isOver = TestSupport.Shared(false)
            let calls = TestSupport.Shared(0)
            let subscription = store.subscribe { _ in
                calls.update { $0 += 1 }
                // Long enough to be cancelled in the middle.
                for _ in 0..<5 { sched_yield() }
                if isOver.value { tooLate.update { $0 += 1 } }
            }
            // In some rounds before the first call, in others after a few.
            while calls.value < round % 4, !finished.value { await Task.yield() }
            await subscription.cancel()
            isOver.value = true
            while !finished.value { await Task.yield() }
        }
        await store.drain()
        #expect(tooLate.value == 0)
        #expect(store.state == 100 * 8 * 40)
    }
}
