// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Millrace

@Suite("Endless chains of shards", .timeLimit(.minutes(5)))
struct ShardedChainTests {
    enum Action: Sendable { case step, outside, stop }

    /// A store whose actions all have one key.
    private func chains(_ engine: StoreEngine) -> ShardedStore<Action, [Action: Int], Int> {
        ShardedStore(
            shards: 4,
            by: { (_: Action) in 0 },
            initialState: { _ in [Action: Int]() },
            reducer: Reducer<Action, [Action: Int]>.reduce { action, counts in counts[action, default: 0] += 1 },
            middleware: { _ in
                Handle<Action, [Action: Int]> { action, _, state in
                    action == .step && state()[.stop] == nil ? IO { $0.dispatch(.step) } : .pure()
                }
            },
            engine: { _ in engine },
            order: .internalFirst
        )
    }

    @Test("the deadline of a shutdown ends the endless chain of a shard", arguments: engines)
    func shardedDeadline(engine: StoreEngine) async {
        let store = chains(engine)
        onNewThread { store.dispatch(.step) }
        #expect(await eventually { store.metrics.reduced > 0 })
        store.dispatch(.outside)
        let reports = await store.shutdown(deadline: .milliseconds(50))
        #expect(reports.allSatisfy { $0.isCompleteButForReaders })
        let metrics = store.metrics
        #expect(metrics.pending == 0)
        #expect(metrics.offered == metrics.reduced + metrics.dropped + metrics.rejected)
    }

    @Test("an urgent action ends the endless chain of a shard", arguments: engines)
    func shardedUrgent(engine: StoreEngine) async {
        let store = chains(engine)
        onNewThread { store.dispatch(.step) }
        #expect(await eventually { store.metrics.reduced > 0 })
        #expect(store.dispatch(urgent: .stop) == .accepted)
        #expect(await eventually { store.metrics.pending == 0 })
        await store.drain()
        _ = await store.shutdown()
    }
}
