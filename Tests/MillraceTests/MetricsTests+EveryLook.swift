// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Millrace

/// The counters balance at every look, whatever goes on.
@Suite("Counters at every look", .serialized, .timeLimit(.minutes(5)))
struct EveryLookTests {
    /// Counts dispatches that have begun and that have returned.
    private final class Dispatches: Sendable {
        let begun = Atomic<UInt64>(0)
        let returned = Atomic<UInt64>(0)

        func count(_ actions: UInt64, _ dispatch: () -> Void) {
            begun.add(actions, ordering: .sequentiallyConsistent)
            dispatch()
            returned.add(actions, ordering: .sequentiallyConsistent)
        }
    }

    /// Looks for as long as the others work; every look is checked.
    private func look(
        _ metrics: () -> StoreMetrics,
        _ dispatches: Dispatches,
        until isOver: () -> Bool,
        _ bad: Recorder<String>
    ) {
        var (last, lastReduced) = (UInt64(0), UInt64(0))
        repeat {
            let returned = dispatches.returned.load(ordering: .sequentiallyConsistent)
            let counters = metrics()
            let begun = dispatches.begun.load(ordering: .sequentiallyConsistent)
            let sum =
                counters.reduced + counters.dropped + counters.rejected + counters.cancelled + counters.pending
            if counters.offered != sum { bad.record("offered \(counters.offered), sum \(sum)") }
            if counters.offered < last { bad.record("offered \(counters.offered) after \(last)") }
            if counters.offered < returned { bad.record("offered \(counters.offered), \(returned) had returned") }
            if counters.offered > begun { bad.record("offered \(counters.offered), \(begun) had begun") }
            // Dropped actions that were not counted as such yet would be counted as reduced.
            if counters.reduced < lastReduced { bad.record("reduced \(counters.reduced) after \(lastReduced)") }
            (last, lastReduced) = (counters.offered, counters.reduced)
        } while !isOver()
    }

    @Test(
        "the sum holds, offered never decreases, and lies between the dispatches returned and begun",
        arguments: engines,
        [StoreCapacity.unbounded, .bounded(64, overflow: .dropOldest)]
    )
    func everyLook(engine: StoreEngine, capacity: StoreCapacity) async {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: engine,
            publication: .onDemand,
            capacity: capacity
        )
        let core = store.core
        let (dispatches, bad, producing) = (Dispatches(), Recorder<String>(), Shared(2))
        let rounds = 1_000
        await elsewhere {
            onThreads(5) { thread in
                switch thread {
                case 0, 1:
                    for number in 0..<rounds {
                        dispatches.count(1) { store.dispatch(number) }
                        if number % 16 == 0 { dispatches.count(8) { store.dispatch(contentsOf: 0..<8) } }
                        if number % 64 == 0 { dispatches.count(1) { _ = store.offer(number) } }
                        if number % 32 == 0 { dispatches.count(1) { store.dispatch(urgent: number) } }
                    }
                    producing.update { $0 -= 1 }
                case 2:
                    // Messages take positions, too.
                    while producing.value > 0 { sendAndWait(core) }
                default:
                    look({ store.metrics }, dispatches, until: { producing.value == 0 }, bad)
                }
            }
        }
        await store.drain()
        #expect(bad.all.prefix(3) == [])
        #expect(store.metrics.offered == dispatches.returned.load(ordering: .relaxed))
        #expect(store.metrics.pending == 0)
    }

    /// One message at a time: whoever drains by itself would never come to an end of them.
    private func sendAndWait<Action, State>(_ core: StoreCore<Action, State>) {
        let isDelivered = Shared(false)
        _ = core.send { isDelivered.value = true }
        while !isDelivered.value { sched_yield() }
    }

    @Test("the sums of a sharded store, too, while shards dispatch to each other and messages come", arguments: [2, 3])
    func shards(count: Int) async {
        let store = ShardedStore(
            shards: count,
            by: { (number: Int) in number },
            initialState: { _ in 0 },
            reducer: counting(Int.self),
            middleware: { _ in IdentityMiddleware<Int, Int, Int>() },
            publication: .onDemand
        )
        let (dispatches, bad, producing) = (Dispatches(), Recorder<String>(), Shared(2))
        await elsewhere {
            onThreads(4) { thread in
                switch thread {
                case 0, 1:
                    for number in 0..<3_000 { dispatches.count(1) { store.dispatch(number) } }
                    producing.update { $0 -= 1 }
                case 2:
                    while producing.value > 0 { for shard in store.shards { sendAndWait(shard.core) } }
                default:
                    look({ store.metrics }, dispatches, until: { producing.value == 0 }, bad)
                }
            }
        }
        await store.drain()
        #expect(bad.all.prefix(3) == [])
        #expect(store.metrics.offered == 6_000)
    }
}
