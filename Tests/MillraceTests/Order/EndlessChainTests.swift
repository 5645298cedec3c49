// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing

@testable import Millrace

/// An internal chain that never ends keeps actions from outside waiting, and nothing else.
@Suite("Endless internal chain", .timeLimit(.minutes(5)))
struct EndlessChainTests {
    enum Action: Sendable { case step, outside, stop }

    private func store(_ engine: StoreEngine) -> ReduxStoreBase<Action, [Action: Int]> {
        ReduxStoreBase(
            initialState: [Action: Int](),
            reducer: Reducer<Action, [Action: Int]>.reduce { action, counts in counts[action, default: 0] += 1 },
            middleware: Handle<Action, [Action: Int]> { action, _, state in
                action == .step && state()[.stop] == nil ? IO { $0.dispatch(.step) } : .pure()
            },
            engine: engine,
            order: .internalFirst
        )
    }

    /// Starts a chain on a thread of its own, as `.caller` stays in the dispatch.
    private func start(_ store: ReduxStoreBase<Action, [Action: Int]>) async {
        onNewThread { store.dispatch(.step) }
        #expect(await eventually { store.metrics.reduced > 0 })
    }

    @Test("an urgent action is handled next, and ends it", arguments: engines)
    func urgent(engine: StoreEngine) async {
        let store = store(engine)
        await start(store)
        store.dispatch(.outside)
        #expect(store.metrics.pending > 0)
        #expect(store.dispatch(urgent: .stop) == .accepted)
        #expect(await eventually { store.metrics.pending == 0 })
        await store.drain()
        #expect(store.withState { $0[.stop] == 1 && $0[.outside] == 1 })
    }

    @Test("a drain and other messages are answered", arguments: engines)
    func messages(engine: StoreEngine) async {
        let store = store(engine)
        await start(store)
        let isDrained = Shared(false)
        Task {
            await store.drain()
            isDrained.value = true
        }
        #expect(await eventually { isDrained.value })
        let told = Shared(false)
        let subscription = store.subscribe { _ in told.value = true }
        #expect(await eventually { told.value })
        await subscription.cancel()
        store.dispatch(urgent: .stop)
    }

    @Test("the deadline of a shutdown ends it, and everything is counted", arguments: engines)
    func deadline(engine: StoreEngine) async {
        let store = store(engine)
        await start(store)
        store.dispatch(.outside)
        let report = await store.shutdown(deadline: .milliseconds(50))
        #expect(report.isCompleteButForReaders)
        let metrics = store.metrics
        #expect(metrics.pending == 0)
        #expect(metrics.offered == metrics.reduced + metrics.dropped + metrics.rejected)
        #expect(metrics.dropped >= 1)
    }

    @Test("what waits when a store is abandoned is destroyed")
    func destroysInternalActions() async {
        final class Payload: Sendable {
            static let alive = Atomic<Int>(0)
            init() { Self.alive.add(1, ordering: .relaxed) }
            deinit { Self.alive.subtract(1, ordering: .relaxed) }
        }
        do {
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting(Payload.self),
                middleware: Handle<Payload, Int> { _, _, _ in
                    IO { output in for _ in 0..<3 { output.dispatch(Payload()) } }
                },
                order: .internalFirst
            )
            store.dispatch(Payload())
            // Each handled action leaves two more: the one in work at the shutdown is the only one that is not dropped.
            #expect(await eventually { store.metrics.pending > 20_000 })
            let report = await store.shutdown(deadline: .zero)
            #expect(report.isCompleteButForReaders)
            #expect(store.metrics.dropped > 10_000)
        }
        #expect(await eventually { Payload.alive.load(ordering: .relaxed) == 0 })
    }
}
