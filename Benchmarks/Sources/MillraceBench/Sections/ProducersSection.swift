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
        return tables
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
