// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Glibc
import Millrace
import Synchronization

/// The latency from dispatch to reduced, in an open loop. The producer keeps to its timetable even if the store is
/// late, and each latency counts from the time at which the action was due. So a stall shows in all actions that it
/// delayed.
struct LatencySection: Section {
    let id = "latency"
    let isShort: Bool

    func measure(_ pairing: Pairing) async throws -> [Table] {
        var tables: [Table] = []
        for rate in [1_000_000, 10_000] {
            let timetable = Timetable(rate: rate, count: isShort ? rate / 50 : rate)
            let runs = min(pairing.pairs, 5)
            var rows: [Row] = []
            for preference in LatencyPreference.allCases.reversed() {
                pairing.progress.show("\(preference) at \(rate) a second")
                let targets =
                    rate == 1_000_000 && preference == .lowLatency
                    ? [Target(figure: .p50, atMost: 2_000), Target(figure: .p999, atMost: 200_000)] : []
                let name = ".thread(latency: .\(preference))"
                rows.append(try await row(name, runs, targets) { try await throughStore(name, preference, timetable) })
            }
            pairing.progress.show("no queue at \(rate) a second")
            rows.append(
                try await row("no queue: an array, and a spinning reader", runs) { try throughArray(timetable) }
            )
            tables.append(Table(title: "Dispatch to reduced, open loop at \(rate) actions a second", rows: rows))
        }
        return tables
    }

    private func row(
        _ name: String,
        _ count: Int,
        _ targets: [Target] = [],
        run: () async throws -> Latencies?
    ) async throws -> Row {
        var runs: [Latencies] = []
        for _ in 0..<count {
            let began = (bench_now(), processorSeconds())
            guard var latencies = try await run() else { continue }
            let seconds = Double(bench_now() - began.0) / 1e9
            // Without one processor for the producer, which spins to keep its timetable.
            latencies.cpu = max(0, (processorSeconds() - began.1) / seconds - 1) * 100
            runs.append(latencies)
        }
        return Row(name, latencies: Latencies(mediansOf: runs), targets: targets)
    }

    private func throughStore(
        _ name: String,
        _ preference: LatencyPreference,
        _ timetable: Timetable
    ) async throws -> Latencies? {
        let crew = try Crew(1)
        let log = LatencyLog(capacity: timetable.count)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<UInt64, Int>.reduce { due, count in
                log.add(bench_now() &- due)
                count += 1
            },
            engine: .thread(latency: preference),
            publication: .onDemand
        )
        _ = crew.run { _ in timetable.run { _, due in store.dispatch(due) } }
        await store.drain()
        guard log.all.count == timetable.count else {
            throw BenchmarkError.wrongResult(
                contender: name,
                expected: "\(timetable.count)",
                found: "\(log.all.count)"
            )
        }
        return Latencies(log.all)
    }

    /// Measures the best that two threads on this machine can do: one writes the times, the other waits for each.
    private func throughArray(_ timetable: Timetable) throws -> Latencies? {
        let crew = try Crew(2)
        let log = LatencyLog(capacity: timetable.count)
        let slots = StampArray(capacity: timetable.count)
        _ = crew.run { member in
            if member == 0 { return timetable.run { number, due in slots.write(due, at: number) } }
            for number in 0..<timetable.count {
                let due = slots.waitFor(number)
                log.add(bench_now() &- due)
            }
        }
        return Latencies(log.all)
    }
}

/// Passes one word per slot from one thread to another, and does nothing else.
private final class StampArray: @unchecked Sendable {
    // Unchecked because each slot is written once, before the release store of `written` that pairs with the reader's
    // acquire.
    private let stamps: UnsafeMutableBufferPointer<UInt64>
    private let written = Atomic<Int>(0)

    init(capacity: Int) {
        stamps = .allocate(capacity: capacity)
        stamps.initialize(repeating: 0)
    }

    deinit { stamps.deallocate() }

    func write(_ stamp: UInt64, at number: Int) {
        stamps[number] = stamp
        written.store(number + 1, ordering: .releasing)
    }

    func waitFor(_ number: Int) -> UInt64 {
        while written.load(ordering: .acquiring) <= number { bench_pause() }
        return stamps[number]
    }
}

private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
