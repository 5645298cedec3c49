// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Glibc
import Millrace

/// Dispatch to reduced, in an open loop: the producer keeps to its time table, whether the store keeps up or not, and a
/// latency counts from the time at which the action was due. So a stall shows in all actions that it delayed.
struct LatencySection: Section {
    let id = "latency"
    let isShort: Bool

    func measure(_ pairing: Pairing) async throws -> [Table] {
        var tables: [Table] = []
        for rate in [1_000_000, 10_000] {
            var rows: [Row] = []
            for preference in LatencyPreference.allCases.reversed() {
                pairing.progress.show("\(preference) at \(rate) a second")
                let targets =
                    rate == 1_000_000 && preference == .lowLatency
                    ? [Target(figure: .p50, atMost: 2_000), Target(figure: .p999, atMost: 200_000)] : []
                rows.append(try await row(".thread(latency: .\(preference))", preference, rate, pairing, targets))
            }
            tables.append(Table(title: "Dispatch to reduced, open loop at \(rate) actions a second", rows: rows))
        }
        return tables
    }

    private func row(
        _ name: String,
        _ preference: LatencyPreference,
        _ rate: Int,
        _ pairing: Pairing,
        _ targets: [Target]
    ) async throws -> Row {
        let crew = try Crew(1)
        var runs: [Latencies] = []
        for _ in 0..<min(pairing.pairs, 5) {
            let count = isShort ? rate / 50 : rate
            let log = LatencyLog(capacity: count)
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<UInt64, Int>.reduce { due, count in
                    log.add(bench_now() &- due)
                    count += 1
                },
                engine: .thread(latency: preference),
                publication: .onDemand
            )
            let before = processorSeconds()
            let began = bench_now()
            _ = crew.run { _ in
                let start = bench_now() + 1_000_000
                for number in 0..<count {
                    let due = start + UInt64(number * (1_000_000_000 / rate))
                    // A fast rate leaves no time to sleep, a slow one would measure the sleep.
                    while bench_now() < due { bench_pause() }
                    store.dispatch(due)
                }
            }
            await store.drain()
            let seconds = Double(bench_now() - began) / 1e9
            guard var latencies = Latencies(log.all), log.all.count == count else {
                throw BenchmarkError.wrongResult(contender: name, expected: "\(count)", found: "\(log.all.count)")
            }
            // Without the producer's own processor, which spins to keep its time table.
            latencies.cpu = max(0, (processorSeconds() - before) / seconds - 1) * 100
            runs.append(latencies)
        }
        return Row(name, latencies: Latencies(mediansOf: runs), targets: targets)
    }
}

/// What one store's reducer wrote, in memory that was there before.
private final class LatencyLog: @unchecked Sendable {
    // Unchecked because the pipeline alone adds, and it is read after a drain.
    private let values: UnsafeMutableBufferPointer<UInt64>
    private var count = 0

    init(capacity: Int) {
        values = .allocate(capacity: capacity)
        // Touched, or the first use of each page would be part of a latency.
        values.initialize(repeating: 0)
    }

    deinit { values.deallocate() }

    func add(_ value: UInt64) {
        guard count < values.count else { return }
        values[count] = value
        count += 1
    }

    var all: [UInt64] { Array(values.prefix(count)) }
}

private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
