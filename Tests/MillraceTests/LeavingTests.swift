// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Millrace

/// Subscribers of a store that leave: whom it concerns, and in which order the others are told.
@Suite("Subscribers that leave", .serialized, .timeLimit(.minutes(5)))
struct LeavingTests {
    private typealias Leave = @Sendable () -> Void
    private let told = Recorder<Int>()

    private func store(_ engine: StoreEngine) -> ReduxStoreBase<Int, Int> { ObservationTests.summing(engine) }

    /// A subscriber that records its number, and does more after it. Returns what ends the subscription.
    private func subscribe(
        _ number: Int,
        to store: ReduxStoreBase<Int, Int>,
        byPublisher: Bool,
        _ body: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> Leave {
        let told = told
        let record: @Sendable (Int) -> Void = { state in
            told.record(number)
            body(state)
        }
        guard byPublisher else {
            let subscription = store.subscribe(record)
            return { subscription.unsubscribe() }
        }
        // Unsafe: those of a store may be ended on any thread.
        nonisolated(unsafe) let subscription = store.statePublisher.subscribe(UnfailableSubscriberType(onValue: record))
        return { subscription.unsubscribe() }
    }

    private func tell(_ store: ReduxStoreBase<Int, Int>) async -> [Int] {
        await store.drain()
        told.clear()
        store.dispatch(1)
        await store.drain()
        return told.all
    }

    @Test("the others are told in the order of subscription, whoever left and came", arguments: engines, [false, true])
    func order(engine: StoreEngine, byPublisher: Bool) async {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        let store = store(engine)
        var there: [(number: Int, leave: Leave)] = []
        for number in 0..<200 {
            there.append((number, subscribe(number, to: store, byPublisher: byPublisher)))
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                guard let index = there.indices.randomElement(using: &random) else { break }
                let leave = there.remove(at: index).leave
                leave()
                leave()
            }
            if number % 20 == 0 { #expect(await tell(store) == there.map(\.number), "seed \(seed)") }
        }
        #expect(await tell(store) == there.map(\.number), "seed \(seed)")
        for (_, leave) in there { leave() }
        #expect(await tell(store) == [])
        there = [(1, subscribe(1, to: store, byPublisher: byPublisher))]
        #expect(await tell(store) == [1])
    }

    @Test("one that leaves while it is told, and others that it takes with it", arguments: engines)
    func whileTold(engine: StoreEngine) async {
        let store = store(engine)
        let all = TestSupport.Shared<[Leave]>([])
        for number in 0..<10 {
            let leave = subscribe(number, to: store, byPublisher: number % 2 == 0) { state in
                // With it go one before it and one after it.
                if state == 1, number == 4 { for index in [4, 2, 7] { all.value[index]() } }
            }
            all.update { $0.append(leave) }
        }
        #expect(await tell(store) == [0, 1, 2, 3, 4, 5, 6, 8, 9])
        #expect(await tell(store) == [0, 1, 3, 5, 6, 8, 9])
    }

    @Test("all leave while they are told, each itself", arguments: engines)
    func allWhileTold(engine: StoreEngine) async {
        let store = store(engine)
        let all = TestSupport.Shared<[Leave]>([])
        for number in 0..<100 {
            let leave = subscribe(number, to: store, byPublisher: true) { state in
                if state == 1 { all.value[number]() }
            }
            all.update { $0.append(leave) }
        }
        #expect(await tell(store) == Array(0..<100))
        #expect(await tell(store) == [])
        await store.drain()
        #expect(store.core.subscribers.isEmpty)
    }

    @Test("what one that left has held is let go, though others stay", arguments: engines)
    func releases(engine: StoreEngine) async {
        let store = store(engine)
        var others: [Leave] = []
        weak var held: Recorder<Int>?
        for number in 0..<10 { others.append(subscribe(number, to: store, byPublisher: true)) }
        do {
            let own = Recorder<Int>()
            held = own
            let subscription = store.subscribe { own.record($0) }
            for number in 10..<20 { others.append(subscribe(number, to: store, byPublisher: true)) }
            await store.drain()
            subscription.unsubscribe()
        }
        await store.drain()
        #expect(await eventually { held == nil })
        #expect(await tell(store) == Array(0..<20))
        withExtendedLifetime(others) {}
    }

    @Test("many come and leave on several threads, and cancel, while actions are handled", arguments: engines)
    func race(engine: StoreEngine) async {
        let store = store(engine)
        let stays = (0..<3).map { subscribe($0, to: store, byPublisher: true) }
        let tooLate = TestSupport.Shared(0)
        let tasks = (0..<4).map { thread in
            Task.detached {
                var random = SplitMix64(seed: UInt64(thread))
                var subscriptions: [(StateSubscription, isOver: TestSupport.Shared<Bool>)] = []
                for _ in 0..<200 {
                    let isOver = TestSupport.Shared(false)
                    let subscription = store.subscribe { _ in if isOver.value { tooLate.update { $0 += 1 } } }
                    subscriptions.append((subscription, isOver))
                    store.dispatch(1)
                    guard let index = subscriptions.indices.randomElement(using: &random) else { continue }
                    let (leaving, flag) = subscriptions.remove(at: index)
                    await leaving.cancel()
                    flag.value = true
                }
                for (subscription, _) in subscriptions { subscription.unsubscribe() }
            }
        }
        for task in tasks { await task.value }
        await store.drain()
        #expect(store.state == 800)
        #expect(tooLate.value == 0)
        #expect(await tell(store) == [0, 1, 2])
        #expect(store.core.subscribers.count == 3)
        withExtendedLifetime(stays) {}
    }

    @Test("a buffer that has a state lets its iterator go on")
    func buffer() async {
        let buffer = StateBuffer<Int>(.latest)
        buffer.push(1)
        let hasState = Shared(false)
        Task {
            await buffer.wait()
            hasState.value = true
        }
        #expect(await eventually { hasState.value })
        guard case .element(1, dropped: 0) = buffer.take() else {
            Issue.record("the state is gone")
            return
        }
    }

    @Test("a subscription that has ended calls nobody")
    func subscription() {
        let subscription = StateSubscription { _ in }
        var calls = 0
        subscription.call { calls += 1 }
        subscription.unsubscribe()
        subscription.call { calls += 1 }
        #expect(calls == 1)
    }

    @Test("a subscription that ended before it was added keeps nothing")
    func endedBefore() {
        let store = store(.caller)
        let subscription = store.core.makeSubscription()
        subscription.unsubscribe()
        weak var kept: Shared<Int>?
        do {
            let calls = Shared(0)
            kept = calls
            store.core.start(subscription) { _ in calls.update { $0 += 1 } }
            #expect(calls.value == 0)
        }
        #expect(kept == nil)
        withExtendedLifetime(store) {}
    }
}
