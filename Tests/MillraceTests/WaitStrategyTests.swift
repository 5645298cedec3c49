// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Millrace
import TestSupport
import Testing

/// What a store's own thread does when nothing is there.
@Suite("Wait strategies", .serialized, .timeLimit(.minutes(5)))
struct WaitStrategyTests {
    @Test("a latency preference stands for the strategy that its documentation tells")
    func preferences() {
        #expect(LatencyPreference.throughput.strategy == .park)
        #expect(LatencyPreference.balanced.strategy == .spinThenPark(for: .microseconds(50)))
        #expect(LatencyPreference.lowLatency.strategy == .busySpinClosely)
        for preference in LatencyPreference.allCases {
            let engine = StoreEngine.thread(name: "orders", latency: preference)
            #expect(engine == .thread(name: "orders", wait: preference.strategy))
        }
        #expect(StoreEngine.thread(latency: .balanced) == .thread())
    }

    private func makeStore(_ wait: WaitStrategy) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .thread(wait: wait))
    }

    @Test(
        "a thread that sleeps is woken by a dispatch, and its wake-ups are counted",
        arguments: [LatencyPreference.throughput.strategy, LatencyPreference.balanced.strategy]
    )
    func sleeps(wait: WaitStrategy) async {
        let store = makeStore(wait)
        var dispatched = 0
        for _ in 0..<5 {
            let before = store.metrics.wakeUps
            // As long as it has not gone to sleep, nobody has to wake it.
            let isWoken = await eventually {
                store.dispatch(1)
                dispatched += 1
                return store.metrics.wakeUps > before
            }
            #expect(isWoken)
            #expect(await eventually { store.metrics.reduced == UInt64(dispatched) })
        }
        #expect(store.metrics.wakeUps <= UInt64(dispatched))
        await store.drain()
        #expect(store.state == dispatched)
    }

    @Test(
        "a thread that spins is there at once, and nobody has to wake it",
        arguments: [LatencyPreference.lowLatency.strategy, .busySpin]
    )
    func spins(wait: WaitStrategy) async {
        let store = makeStore(wait)
        for round in 1...5 as ClosedRange<UInt64> {
            store.dispatch(1)
            // Between two looks it has nothing to do, for longer than others look.
            #expect(await eventually { store.metrics.reduced == round })
        }
        await store.drain()
        #expect(store.state == 5)
        // With one processor the producer needs it.
        if millrace_processor_count() > 1 { #expect(store.metrics.wakeUps == 0) }
    }

    @Test("a thread that sleeps is woken by a run of actions, too")
    func isWokenByRuns() async {
        let store = makeStore(.park)
        // As long as it has not gone to sleep, nobody has to wake it.
        let isWoken = await eventually {
            store.dispatch(contentsOf: [1, 1, 1])
            return store.metrics.wakeUps > 0
        }
        #expect(isWoken)
    }
}
