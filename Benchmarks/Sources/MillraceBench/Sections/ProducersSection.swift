// SPDX-License-Identifier: Apache-2.0

import CxxRivals
import Millrace

/// W3: several producers, and batches.
struct ProducersSection: Section {
    let id = "producers"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        var tables: [Table] = []
        for count in [2, 8] { tables.append(try await producers(count, pairing)) }
        for count in [1, 2] { tables.append(try await batches(count, pairing)) }
        tables.append(try await stalls(pairing))
        tables.append(try await memory(pairing))
        return tables
    }

    /// What the system does for the memory of bursts, while runs follow each other. Medians of all runs but the first.
    private func memory(_ pairing: Pairing) async throws -> Table {
        var rows: [Row] = []
        for (name, engine) in [(".thread", StoreEngine.thread()), (".caller", .caller)] {
            for count in [2, 8] {
                let title = "\(count) producer threads, engine \(name)"
                pairing.progress.show(title)
                let store = StoreLoop.plainStore(engine: engine)
                let loop = StoreLoop.contender(title, store: store, crew: try Crew(count))
                let operations = Double(pairing.operations)
                var times: [Double] = []
                var uses: [KernelUse] = []
                for run in 0...pairing.pairs {
                    let before = KernelUse.now()
                    let time = try await loop.run(pairing.operations)
                    guard run > 0 else { continue }
                    times.append(Double(time) / operations)
                    uses.append(KernelUse.now() - before)
                }
                rows.append(Row(title, time: Sample(times)))
                rows.append(
                    Row("  of it in the kernel, all processors", time: Sample(uses.map { $0.nanoseconds / operations }))
                )
                let faults = uses.map { Double($0.faults) * 1000 / operations }.sorted()
                rows.append(Row("  page faults in 1,000 actions", amount: faults[faults.count / 2]))
            }
        }
        return Table(title: "W3: the memory of bursts", rows: rows)
    }

    /// How often the store waits for a producer that lost its processor, and for how long.
    private func stalls(_ pairing: Pairing) async throws -> Table {
        var rows: [Row] = []
        for count in [1, 2, 8] {
            pairing.progress.show("producers that lose their processor, \(count)")
            let found = try await StalledProducers.measure(producers: count, actions: pairing.operations * 5)
            rows.append(
                Row("\(count) producer threads: waits in 1,000,000 actions, at most", amount: found.inAMillionActions)
            )
            rows.append(Row("  their part of the time, percent", amount: found.percentOfTime))
            rows.append(Row("  the longest, milliseconds", amount: found.longestMilliseconds))
        }
        return Table(title: "W3: waits for a producer that lost its processor in the middle of a dispatch", rows: rows)
    }

    private func producers(_ count: Int, _ pairing: Pairing) async throws -> Table {
        let producers = try Crew(count)
        let all = try Crew(count + 1)
        let queue = try MoodycamelQueue(RIVAL_BULK_LARGE_BLOCKS, producers: count)
        let locks = count == 2 ? [Target(figure: .ratio, atMost: 1)] : []
        return try await pairing.table(
            "W3: \(count) producer threads, 3 middlewares, lifted reducers, until drained",
            subject: StoreLoop.contender(
                "Millrace, engine .thread",
                store: StoreLoop.plainStore(engine: .thread()),
                crew: producers
            ),
            rivals: [
                Opponent(LockRival.mutex(crew: producers), targets: locks, note: "no hand-over, no middlewares"),
                Opponent(LockRival.pthread(crew: producers), targets: locks, note: "no hand-over, no middlewares"),
                Opponent(ArraySwapRival.contender(crew: all), note: "no middlewares"),
                Opponent(DispatchQueueRival.contender(crew: producers), note: "no middlewares"),
                Opponent(
                    queue.contender(RIVAL_BULK_LARGE_BLOCKS.title, crew: all, patience: .patient),
                    note: "transport only, C++"
                ),
            ]
        )
    }

    private func batches(_ count: Int, _ pairing: Pairing) async throws -> Table {
        let producers = try Crew(count)
        return try await pairing.table(
            "W3: dispatch(contentsOf:) of 64 from \(count) producer thread\(count == 1 ? "" : "s")",
            subject: StoreLoop.contender(
                "Millrace, batches of 64",
                store: StoreLoop.plainStore(engine: .thread()),
                crew: producers,
                handover: .batches(of: 64)
            ),
            rivals: [
                Opponent(
                    StoreLoop.contender(
                        "Millrace, one at a time",
                        store: StoreLoop.plainStore(engine: .thread()),
                        crew: producers
                    )
                )
            ]
        )
    }
}
