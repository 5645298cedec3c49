// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Millrace

/// The latency from idle: one action to a store whose thread sleeps, next to other ways to wake a thread.
struct WakeSection: Section {
    let id = "wake"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let engines: [(String, () -> StoreEngine)] = [
            (".thread(wait: .park)", { .thread(wait: .park) }),
            (".thread(wait: .spinThenPark())", { .thread(wait: .spinThenPark()) }),
            (".queue", { .queue(DispatchQueue(label: "bench-wake")) }),
        ]
        let half = [Target(figure: .ratioP50, atMost: 1.2)]
        let queue = [Target(figure: .ratioP50, atMost: 1)]
        let rounds = min(200, max(20, pairing.operations / 1_000))
        var tables: [Table] = []
        for (name, engine) in engines {
            let isQueue = name == ".queue"
            let subject = contender(Wakers.store(name, engine()), rounds)
            tables.append(
                try await pairing.latencyTable(
                    "From idle, \(name): one action until it is reduced",
                    subject: subject,
                    rivals: [
                        LatencyOpponent(
                            contender: contender(try Wakers.futex(), rounds),
                            targets: isQueue ? [] : half
                        ),
                        LatencyOpponent(contender: contender(Wakers.mailbox(), rounds)),
                        LatencyOpponent(
                            contender: contender(Wakers.dispatchQueue(), rounds),
                            targets: isQueue ? queue : []
                        ),
                    ]
                )
            )
        }
        return tables
    }

    /// A run wakes the thread so many times, each time after a millisecond: long enough for the thread to sleep, with
    /// every way of waiting.
    private func contender(_ waker: Wakers.Waker, _ rounds: Int) -> LatencyContender {
        LatencyContender(name: waker.name) {
            var times: [UInt64] = []
            times.reserveCapacity(rounds)
            for _ in 0..<rounds {
                usleep(1_000)
                times.append(waker.wake())
            }
            guard let latencies = Latencies(times) else {
                throw BenchmarkError.wrongResult(contender: waker.name, expected: "\(rounds)", found: "0")
            }
            return latencies
        }
    }
}
