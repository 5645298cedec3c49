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

    fileprivate static func makeStore(_ wait: WaitStrategy) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .thread(wait: wait))
    }

    @Test(
        "a thread that sleeps is woken by a dispatch, and its wake-ups are counted",
        arguments: [LatencyPreference.throughput.strategy, LatencyPreference.balanced.strategy]
    )
    func sleeps(wait: WaitStrategy) async {
        let store = Self.makeStore(wait)
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
        // A process of its own: stores of other tests may have all permits to spin.
        let isClose = wait != .busySpin
        await #expect(processExitsWith: .success) { [isClose = isClose as Bool] in
            let store = WaitStrategyTests.makeStore(isClose ? LatencyPreference.lowLatency.strategy : .busySpin)
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
    }

    @Test("fewer threads than processors spin; the next store spins when one of them has ended")
    func permits() async {
        await #expect(processExitsWith: .success) {
            let most = Int(millrace_processor_count()) - 1
            var stores = (0..<most + 2).map { _ in WaitStrategyTests.makeStore(LatencyPreference.lowLatency.strategy) }
            // Whether a thread sleeps is seen when a dispatch has to wake it.
            func sleeping() async -> Int {
                let before = stores.map(\.metrics.wakeUps)
                try? await Task.sleep(for: .milliseconds(20))
                for store in stores {
                    store.dispatch(1)
                    await store.drain()
                }
                return zip(stores, before).count { $0.metrics.wakeUps > $1 }
            }
            #expect(await eventually { await sleeping() == 2 })
            for _ in 1...5 { #expect(await sleeping() <= 2) }
            if let ended = stores.firstIndex(where: { $0.metrics.wakeUps == 0 }) {
                _ = await stores.remove(at: ended).shutdown()
            } else {
                #expect(most == 0)
                stores.removeLast()
            }
            #expect(await eventually { await sleeping() == 1 })
        }
    }

    @Test("a thread that sleeps is woken by a run of actions, too")
    func isWokenByRuns() async {
        let store = Self.makeStore(.park)
        // As long as it has not gone to sleep, nobody has to wake it.
        let isWoken = await eventually {
            store.dispatch(contentsOf: [1, 1, 1])
            return store.metrics.wakeUps > 0
        }
        #expect(isWoken)
    }
}
