// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Millrace
import TestSupport
import Testing

/// Stores that are given more than they can do.
@Suite("Overload", .timeLimit(.minutes(5)))
struct OverloadTests {
    @Test("4: the books balance under every policy, also under load", arguments: engines)
    func g4_overload(engine: StoreEngine) async {
        for overflow in OverflowPolicy.allCases { await overload(engine, overflow, for: .milliseconds(200)) }
    }

    @Test("4: the books balance after ten seconds at twice the capacity", arguments: OverflowPolicy.allCases)
    func g4_tenSeconds(overflow: OverflowPolicy) async {
        // All three in one go, each on an engine of its own.
        guard overflow == .block else { return await overload(.thread(), overflow, for: .seconds(10)) }
        await overload(.queue(DispatchQueue(label: "ten seconds")), overflow, for: .seconds(10))
    }

    /// Dispatches twice as fast as the store reduces, looks at the books meanwhile, and checks them at the end.
    private func overload(_ engine: StoreEngine, _ overflow: OverflowPolicy, for duration: Duration) async {
        let perAction = Duration.microseconds(20)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                let end = ContinuousClock.now + perAction
                while ContinuousClock.now < end {}
                count += 1
            },
            engine: engine,
            publication: .onDemand,
            capacity: .bounded(256, overflow: overflow)
        )
        let (bad, offered) = (Recorder<StoreMetrics>(), Shared<UInt64>(0))
        await elsewhere {
            let start = ContinuousClock.now
            onThreads(2) { thread in
                guard thread == 0 else {
                    // Whoever looks while it runs finds sums that are at most the actions in flight apart.
                    while ContinuousClock.now < start + duration {
                        let books = store.metrics
                        let sum = books.reduced + books.dropped + books.rejected + books.cancelled + books.pending
                        if books.offered > sum + 1_024 || sum > books.offered + 1_024 { bad.record(books) }
                        usleep(500)
                    }
                    return
                }
                var number: UInt64 = 0
                while ContinuousClock.now < start + duration {
                    if number % 3 == 0 { _ = store.offer(1) } else { store.dispatch(1) }
                    number += 1
                    // Keeps to a time table of its own, unless it was blocked.
                    let due = start + perAction / 2 * Int(number)
                    while ContinuousClock.now < due, ContinuousClock.now < start + duration {}
                }
                offered.value = number
            }
        }
        await store.drain()
        let books = store.metrics
        #expect(bad.all.isEmpty)
        #expect(books.pending == 0)
        #expect(books.offered == offered.value)
        #expect(books.reduced == UInt64(store.state))
        #expect(books.offered == books.reduced + books.dropped + books.rejected + books.cancelled)
        if overflow == .block || engine == .caller {
            // Who drains by itself keeps up.
            #expect(books.dropped == 0)
        } else {
            // Two hundred milliseconds of a busy machine may give the producer too little time to overtake.
            if duration > .seconds(1) { #expect(books.dropped + books.rejected > 0, "there was no overload") }
        }
    }
}
