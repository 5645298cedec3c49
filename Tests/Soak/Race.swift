// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Millrace
import Synchronization
import TestSupport

/// The end of a store in the middle of dispatches, by a seed.
struct Race {
    let seed: UInt64

    private final class SharedCount: Sendable {
        let reduced = Atomic<UInt64>(0)
        let accepted = Atomic<UInt64>(0)
        let refused = Atomic<UInt64>(0)
        /// Dispatched without a result; such a thread may wait for room while the store ends.
        let dispatched = Atomic<UInt64>(0)
    }

    /// Runs the race. Returns what is wrong; nil if nothing is.
    func run() async -> String? {
        var random = SplitMix64(seed: seed)
        let load = Load.of(round: Int.random(in: 0..<1_000, using: &random))
        let (threads, each) = (Int.random(in: 1...4, using: &random), Int.random(in: 1...200, using: &random))
        let tally = SharedCount()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                count += 1
                tally.reduced.add(1, ordering: .relaxed)
            },
            engine: load.engine,
            publication: load.publication,
            capacity: load.capacity,
            order: load.order
        )
        let pause = UInt32.random(in: 0...120, using: &random)
        let urgentEvery = Int.random(in: 2...9, using: &random)
        // At once: what waits is dropped and counted. Otherwise everything that was accepted is finished.
        let isAtOnce = Bool.random(using: &random)
        let producers = Task.detached {
            await elsewhere {
                onThreads(threads) { _ in
                    for number in 0..<each {
                        if number % 3 == 1 {
                            store.dispatch(number)
                            tally.dispatched.add(1, ordering: .relaxed)
                            continue
                        }
                        let result: OfferResult =
                            number % urgentEvery == 0 ? store.dispatch(urgent: number) : store.offer(number)
                        if result == .accepted {
                            tally.accepted.add(1, ordering: .relaxed)
                        } else {
                            tally.refused.add(1, ordering: .relaxed)
                        }
                    }
                }
            }
        }
        if pause > 0 { await elsewhere { usleep(pause) } }
        let report = await store.shutdown(deadline: isAtOnce ? .zero : .seconds(60))
        await producers.value
        // After a deadline the pipeline drops the rest, which takes a moment.
        guard await eventually({ store.metrics.pending == 0 }) else { return "actions stay pending: \(store.metrics)" }
        let metrics = store.metrics
        let (accepted, refused) = (tally.accepted.load(ordering: .relaxed), tally.refused.load(ordering: .relaxed))
        let offered = accepted + refused + tally.dispatched.load(ordering: .relaxed)
        if metrics.offered != offered { return "offered \(metrics.offered) of \(offered): \(metrics)" }
        if metrics.rejected < refused { return "rejected \(metrics.rejected), refused \(refused): \(metrics)" }
        if metrics.reduced + metrics.dropped + metrics.rejected != offered { return "\(offered) offered: \(metrics)" }
        if metrics.reduced != tally.reduced.load(ordering: .relaxed) { return "another number was reduced: \(metrics)" }
        if !isAtOnce && !load.mayDrop && metrics.dropped > 0 {
            return "dropped before the deadline: \(metrics), \(report)"
        }
        return store.offer(1) == .closed ? nil : "a closed store accepts"
    }
}
