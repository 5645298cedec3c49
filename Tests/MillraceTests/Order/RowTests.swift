// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestSupport
import Testing

@testable import Millrace

/// Rows of urgent and internal actions: what waits for their end, and what is left of them.
@Suite("Rows of urgent and internal actions", .timeLimit(.minutes(5)))
struct RowTests {
    enum Action: Sendable { case hold, outside, inside, burst(Int) }

    /// A store that waits at each `hold`.
    private func makeStore(
        _ engine: StoreEngine,
        capacity: StoreCapacity = .unbounded
    ) -> (store: ReduxStoreBase<Action, Int>, entered: Shared<Bool>, gate: DispatchSemaphore) {
        let (entered, gate) = (Shared(false), DispatchSemaphore(value: 0))
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Action.self),
            middleware: Handle<Action, Int> { action, _, _ in
                switch action {
                case .hold:
                    entered.value = true
                    gate.wait()
                    return .pure()
                case .outside: return IO { output in for _ in 0..<3 { output.dispatch(.inside) } }
                case .burst(let count): return IO { output in for _ in 0..<count { output.dispatch(.inside) } }
                case .inside: return .pure()
                }
            },
            engine: engine,
            capacity: capacity,
            order: .internalFirst
        )
        return (store, entered, gate)
    }

    @Test("a row ends where a batch ends, too: no later row is cut off for a message")
    func everyRowCountsAnew() async {
        // One action a batch.
        let (store, entered, gate) = makeStore(.thread(), capacity: .bounded(4))
        store.dispatch(.hold)
        #expect(await eventually { entered.value })
        let rounds = 1_400
        let counts = Recorder<UInt64>()
        for _ in 0..<rounds {
            store.dispatch(control: .outside)
            // As drain() does.
            _ = store.core.send { [core = store.core] in counts.record(core.consumer.counters.pointee.reduced) }
        }
        gate.signal()
        await store.drain()
        #expect(counts.all == (1...UInt64(rounds)).map { 1 + 4 * $0 })
    }

    @Test("the age of an urgent action that is stuck grows", arguments: engines)
    func ageOfUrgent(engine: StoreEngine) async {
        let (store, entered, gate) = makeStore(engine)
        onNewThread { store.dispatch(urgent: .hold) }
        #expect(await eventually { entered.value })
        #expect(await eventually { store.metrics.ageOfOldest >= .milliseconds(20) })
        #expect(store.metrics.depth == 0)
        gate.signal()
        #expect(await eventually { store.metrics.pending == 0 })
        #expect(store.metrics.ageOfOldest == .zero)
    }

    @Test("the memory of a burst of urgent actions goes back to the system", arguments: engines)
    func memoryOfUrgent(engine: StoreEngine) async throws {
        let (store, entered, gate) = makeStore(engine)
        // A quiet store has nothing to give back.
        store.dispatch(.inside)
        await store.drain()
        #expect(await eventually { store.core.queue.raw.segments == 1 && !store.core.isUpkeepScheduled })
        onNewThread { store.dispatch(urgent: .hold) }
        #expect(await eventually { entered.value })
        for _ in 0..<200_000 { store.dispatch(urgent: .inside) }
        let urgent = try #require(store.core.consumer.urgent.queue)
        #expect(urgent.segments > 2)
        gate.signal()
        #expect(await eventually { store.metrics.pending == 0 })
        #expect(await eventually { urgent.segments <= 2 })
    }

    @Test(
        "with .caller, the memory of a burst of internal actions is given back when its dispatch returns",
        arguments: [0, 200]
    )
    func memoryOfInternal(others: Int) throws {
        let (store, _, _) = makeStore(.caller)
        // With others behind the burst the shared queue counts as busy, and keeps its memory.
        store.dispatch(contentsOf: [.burst(100_000)] + Array(repeating: .inside, count: others))
        #expect(store.metrics.internalActions == 100_000)
        #expect(try #require(store.core.ownQueue).isBloated == false)
    }
}
