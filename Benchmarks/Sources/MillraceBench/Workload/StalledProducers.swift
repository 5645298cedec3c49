// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// Measures how long a store waits for producers that lost their processor between claim and publication: the consumer
/// then finds the head of the queue claimed, but not published, and may not go on.
///
/// The reducer reads the clock at every action. A pause of more than 20 µs counts as such a wait if the store has counted
/// a stalled producer since the pause before. The time in which the consumer itself waited for a processor is subtracted:
/// the system counts it (`schedstat`). The result is an upper bound: a pause in which the queue was empty counts, too, if
/// a short stall came before.
enum StalledProducers {
    private struct Pauses: Sendable {
        var last: UInt64 = 0
        var stalls: UInt64 = 0
        var waits = 0
        /// The time that this thread has waited for a processor, at the last pause.
        var delayed: UInt64 = 0
        var waited: UInt64 = 0
        var longest: UInt64 = 0
    }

    private static let shortest: UInt64 = 20_000

    /// The result of one run.
    struct Waits {
        let inAMillionActions: Double
        let percentOfTime: Double
        let longestMilliseconds: Double
    }

    @MainActor
    static func measure(producers: Int, actions: Int) async throws -> Waits {
        let counted = CountedStalls()
        let store = ReduxStoreBase(
            initialState: Pauses(),
            reducer: Reducer<Int, Pauses>.reduce { _, pauses in
                let now = bench_now()
                if now - pauses.last > Self.shortest {
                    let stalls = counted.value
                    let delayed = RunDelay.ofThisThread ?? 0
                    let pause = now - pauses.last
                    let wait = pause - min(pause, delayed - pauses.delayed)
                    if stalls > pauses.stalls, pauses.last != 0, wait > Self.shortest {
                        pauses.waits += 1
                        pauses.waited += wait
                        pauses.longest = max(pauses.longest, wait)
                    }
                    pauses.stalls = stalls
                    pauses.delayed = delayed
                }
                pauses.last = now
            },
            middleware: IdentityMiddleware<Int, Int, Pauses>(),
            engine: .thread()
        )
        counted.read = { [weak store] in store?.metrics.stalledProducer ?? 0 }
        let share = actions / producers
        let times = try Crew(producers).run { _ in for index in 0..<share { store.dispatch(index) } }
        await store.drain()
        let time = bench_now() - times.began
        let pauses = store.state
        return Waits(
            inAMillionActions: Double(pauses.waits) * 1_000_000 / Double(share * producers),
            percentOfTime: 100 * Double(pauses.waited) / Double(time),
            longestMilliseconds: Double(pauses.longest) / 1_000_000
        )
    }

    private final class CountedStalls: @unchecked Sendable {
        // Unchecked because it is set before the first action, and then only read.
        var read: () -> UInt64 = { 0 }
        var value: UInt64 { read() }
    }
}
