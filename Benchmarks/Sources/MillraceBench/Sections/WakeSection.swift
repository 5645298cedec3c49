// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Dispatch
import Glibc
import Millrace
import Synchronization

/// The latency from idle: one action to a store whose thread sleeps, in turn with one wake-up of a bare futex.
struct WakeSection: Section {
    let id = "wake"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let engines: [(String, StoreEngine, [Double])] = [
            (".thread(wait: .park)", .thread(wait: .park), [1.2]),
            (".thread(wait: .spinThenPark())", .thread(wait: .spinThenPark()), [1.2]),
            (".queue", .queue(DispatchQueue(label: "bench-wake")), []),
        ]
        return try engines.map { name, engine, aims in
            pairing.progress.show(name)
            return try table(name, engine, aims, rounds: min(2_000, pairing.operations / 100))
        }
    }

    private func table(_ name: String, _ engine: StoreEngine, _ aims: [Double], rounds: Int) throws -> Table {
        guard let sleeper = bench_sleeper_create() else { throw BenchmarkError.noThreads(1) }
        defer { bench_sleeper_destroy(sleeper) }
        let reduced = Reduced()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, _ in reduced.time.store(bench_now(), ordering: .releasing) },
            engine: engine,
            publication: .onDemand
        )
        var ours: [UInt64] = []
        var bare: [UInt64] = []
        for round in 0..<rounds {
            // Long enough for the thread to sleep, with every wait strategy.
            usleep(1_000)
            if round % 2 == 0 {
                reduced.time.store(0, ordering: .relaxed)
                let began = bench_now()
                store.dispatch(1)
                while reduced.time.load(ordering: .acquiring) == 0 { bench_pause() }
                ours.append(reduced.time.load(ordering: .acquiring) - began)
            } else {
                bare.append(bench_sleeper_wake(sleeper))
            }
        }
        guard let subject = Latencies(ours), let rival = Latencies(bare) else { return Table(title: name, rows: []) }
        return Table(
            title: "From idle, \(name): an action until it is reduced, and a bare futex until its sleeper runs",
            rows: [
                Row(name, latencies: subject),
                Row("bare futex", latencies: rival),
                Row(
                    "p50 of the store / p50 of the futex",
                    amount: subject.p50 / rival.p50,
                    targets: aims.map { Target(figure: .amount, atMost: $0) }
                ),
            ]
        )
    }
}

private final class Reduced: Sendable {
    let time = Atomic<UInt64>(0)
}
