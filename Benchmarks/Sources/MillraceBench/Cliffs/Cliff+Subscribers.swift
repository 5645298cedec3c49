// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import MillraceObservation

extension Cliff {
    /// The cost of ending one subscription to `statePublisher`. All subscribers unsubscribe, the first one first, and
    /// an action follows.
    static var leavingSubscribers: Cliff {
        Cliff("statePublisher, one of so many leaves", sizes: [1_000, 10_000, 40_000], rule: .flat(atMost: 5)) { size in
            let store = ReduxStoreBase<Int, Int>(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { action, state in state += action },
                engine: .caller
            )
            let calls = Counter()
            let subscriptions = (0..<size).map { _ in
                store.statePublisher.subscribe(UnfailableSubscriberType(onValue: { _ in calls.count += 1 }))
            }
            let start = bench_now()
            for subscription in subscriptions { subscription.unsubscribe() }
            store.dispatch(1)
            let time = bench_now() - start
            try expect(calls.count, size, "calls of subscribers")
            try expect(store.state, 1, "the state")
            return Double(time) / Double(size)
        }
    }

    /// The cost of ending one subscription to a native subject. All subscribers unsubscribe, the last one first.
    static var leavingSubject: Cliff {
        Cliff("native subject, one of so many leaves", sizes: [1_000, 10_000, 40_000], rule: .flat(atMost: 5)) { size in
            let subject = UnfailableReplayLastSubjectType<Int>.native(initialValue: 0)
            let calls = Counter()
            let subscriptions = (0..<size).map { _ in
                subject.publisher.subscribe(UnfailableSubscriberType(onValue: { _ in calls.count += 1 }))
            }
            let start = bench_now()
            for subscription in subscriptions.reversed() { subscription.unsubscribe() }
            let time = bench_now() - start
            subject.subscriber.onValue(1)
            try expect(calls.count, size, "calls of subscribers")
            return Double(time) / Double(size)
        }
    }

    /// The cost of making one selection of an `ObservableStore`. All selections are kept.
    static var selections: Cliff {
        Cliff("ObservableStore.select, after so many", sizes: [1_000, 4_000, 16_000], rule: .flat(atMost: 5)) { size in
            let store = ReduxStoreBase<Int, Int>(
                initialState: 7,
                reducer: Reducer<Int, Int>.reduce { action, state in state += action },
                engine: .caller
            )
            let model = store.asObservableStore()
            var selections: [ObservableSelection<Int>] = []
            selections.reserveCapacity(size)
            let start = bench_now()
            for index in 0..<size { selections.append(model.select { $0 + index }) }
            let time = bench_now() - start
            try expect(selections.last?.value ?? 0, size + 6, "the last selection")
            return Double(time) / Double(size)
        }
    }

    /// Throws an error if a count differs from the expected count.
    static func expect(_ found: Int, _ expected: Int, _ what: String) throws(BenchmarkError) {
        guard found == expected else {
            throw .wrongResult(contender: what, expected: "\(expected)", found: "\(found)")
        }
    }

    /// A counter that one thread at a time uses.
    final class Counter: @unchecked Sendable {
        // Unchecked because the engine is `.caller`, or only one thread uses the counter.
        var count = 0
    }
}
