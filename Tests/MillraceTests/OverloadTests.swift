// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Millrace

/// Stores that are given more than they can do.
@Suite("Overload", .timeLimit(.minutes(5)))
struct OverloadTests {
    @Test("4: the counters balance under every policy, also under load", arguments: engines)
    func g4_overload(engine: StoreEngine) async {
        for overflow in OverflowPolicy.allCases { await overload(engine, overflow, for: .milliseconds(200)) }
    }

    @Test("4: the counters balance after ten seconds at twice the capacity", arguments: OverflowPolicy.allCases)
    func g4_tenSeconds(overflow: OverflowPolicy) async {
        // All three in one go, each on an engine of its own.
        guard overflow == .block else { return await overload(.thread(), overflow, for: .seconds(10)) }
        await overload(.queue(DispatchQueue(label: "ten seconds")), overflow, for: .seconds(10))
    }

    /// Dispatches twice as fast as the store reduces, looks at the counters meanwhile, and checks them at the end.
    private func overload(_ engine: StoreEngine, _ overflow: OverflowPolicy, for duration: Duration) async {
        let perAction = Duration.microseconds(20)
        let (capacity, producers) = (256 as UInt64, 1 as UInt64)
        // Who drains by itself keeps up.
        let isFullSometimes = engine != .caller
        let (wasFull, isHeld) = (Shared(false), Shared(isFullSometimes))
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                // A busy machine may give the producer too little time to overtake: so it gets a start.
                while count == 0, isHeld.value { usleep(100) }
                let end = ContinuousClock.now + perAction
                while ContinuousClock.now < end {}
                count += 1
            },
            engine: engine,
            publication: .onDemand,
            capacity: .bounded(Int(capacity), overflow: overflow)
        )
        let most = (overflow == .dropOldest ? 2 * capacity : capacity) + producers
        let core = store.core
        let (bad, offered) = (Recorder<StoreMetrics>(), Shared<UInt64>(0))
        await elsewhere {
            let start = ContinuousClock.now
            let (end, latest) = (start + duration, start + .seconds(60))
            @Sendable func isOver() -> Bool {
                let now = ContinuousClock.now
                return now >= end && (wasFull.value || !isFullSometimes || now >= latest)
            }
            onThreads(2) { thread in
                guard thread == 0 else {
                    // Whoever looks while it runs finds sums that are at most the actions in flight apart, and no more
                    // in the queue than one for each producer beyond the bound.
                    while !isOver() {
                        let (cuts, consumed) = (
                            core.queue.raw.cuts, core.queue.raw.consumed
                        )
                        let counters = store.metrics
                        // Positions that are just being taken out of use count as depth.
                        let isOfOneMoment =
                            cuts % 2 == 0 && cuts == core.queue.raw.cuts
                            && consumed == core.queue.raw.consumed
                        let sum =
                            counters.reduced + counters.dropped + counters.rejected + counters.cancelled
                            + counters.pending
                        if max(counters.offered, sum) - min(counters.offered, sum) > producers { bad.record(counters) }
                        if isOfOneMoment, counters.depth > most { bad.record(counters) }
                        if overflow == .block ? store.waiters > 0 : counters.dropped > 0 {
                            wasFull.value = true
                            isHeld.value = false
                        }
                        usleep(500)
                    }
                    // Also if it never was full.
                    isHeld.value = false
                    return
                }
                var number: UInt64 = 0
                while !isOver() {
                    if number % 3 == 0 { _ = store.offer(1) } else { store.dispatch(1) }
                    number += 1
                    // Keeps to a time table of its own, unless it was blocked.
                    let due = start + perAction / 2 * Int(number)
                    while ContinuousClock.now < due, ContinuousClock.now < end {}
                }
                offered.value = number
            }
        }
        await store.drain()
        let counters = store.metrics
        #expect(bad.all.isEmpty)
        #expect(counters.pending == 0)
        #expect(counters.offered == offered.value)
        #expect(counters.reduced == UInt64(store.state))
        #expect(counters.offered == counters.reduced + counters.dropped + counters.rejected + counters.cancelled)
        #expect(wasFull.value == isFullSometimes, "there was no overload")
        #expect((counters.dropped > 0) == (isFullSometimes && overflow != .block))
    }
}
