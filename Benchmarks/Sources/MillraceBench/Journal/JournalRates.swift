// SPDX-License-Identifier: Apache-2.0

import CDiskRivals
import Millrace
import MillraceEffects
import MillraceJournal

/// How many actions a second become durable, beside others that write as many bytes (P3, P5).
@MainActor
struct JournalRates {
    let disk: BenchDisk
    let pairing: Pairing

    /// The figures that other parts need.
    struct Result {
        var goals: [Row]
        var rivals: [Row]
        /// Actions a second at `.grouped`, and the size of its groups.
        var rate: Double
        var group: Int
    }

    func measure() async throws -> Result {
        let grouped = try await store(.grouped)
        let effects = try await store(.grouped, withEffects: true)
        let every = try await store(.every)
        let process = try await store(.process)
        let interval = try await store(.interval(.milliseconds(10)))
        let batch = JournaledStore.batch(1_000)
        let mixed = JournaledStore.batch(1_000, effectIn: 20)
        let journaled = Contender(".grouped", share: 0.5) { try await JournaledStore.time(grouped.store, batch, $0) }
        let withEffects = Contender(".grouped, an effect for 5 %", share: 0.5) {
            try await JournaledStore.time(effects.store, mixed, $0)
        }
        pairing.progress.show("the size of a group")
        let group = try await pairing.groupSize(grouped.journal, journaled)
        let groupOfEffects = try await pairing.groupSize(effects.journal, withEffects)

        let beside = try await pairing.measure(
            journaled,
            against: [try raw(group), withEffects, try raw(groupOfEffects)]
        )
        let each = Contender(".every", share: 0.0005) { try await JournaledStore.time(every.store, batch, $0) }
        let eachRaw = try raw(1, share: 0.0005)
        // A sync takes longer in a larger file.
        let eachInSegment = try raw(1, share: 0.0005, atLeast: 64 << 20)
        let alone = try await pairing.measure(each, against: [eachRaw, eachInSegment])
        guard let beside, let alone else { throw BenchmarkError.noMemory("samples") }
        let grouping = beside.rivals[0]
        let effectRatio = beside.rivals[1].time.median / beside.rivals[2].time.median
        let goals = [
            Row(
                "P3 .grouped / write + fdatasync of \(group)",
                amount: grouping.ratio.median,
                targets: [Target(figure: .amount, atMost: 1.25)]
            ),
            Row(
                "P3 with an effect for 5 % / the same of \(groupOfEffects)",
                amount: effectRatio,
                targets: [Target(figure: .amount, atMost: 1.25)]
            ),
            Row(
                "P5 .every / write + fdatasync of one",
                amount: alone.rivals[0].ratio.median,
                targets: [Target(figure: .amount, atMost: 1.053)]
            ),
            Row("  the same in a file as large as a segment", amount: alone.rivals[1].ratio.median),
        ]
        let rivals = try await others(group, process: process.store, interval: interval.store, batch)
        let rows =
            [
                Row(".grouped", time: beside.subject, note: "groups of \(group)"),
                Row("write + fdatasync of \(group)", time: grouping.time),
                Row(".every", time: alone.subject), Row("write + fdatasync of one", time: alone.rivals[0].time),
                Row("the same in a file of 64 MB", time: alone.rivals[1].time),
            ] + rivals
        for store in [grouped.store, effects.store, every.store, process.store, interval.store] {
            _ = await store.shutdown()
        }
        return Result(goals: goals, rivals: rows, rate: 1e9 / beside.subject.median, group: group)
    }

    private func store(
        _ durability: Durability,
        withEffects: Bool = false
    ) async throws -> (store: JournaledStore.Store, journal: Journal<JournaledOrder>) {
        let journal = try JournaledStore.journal(disk.name("journal"), durability)
        let store =
            withEffects
            ? try await JournaledStore.Store(
                recovering: journal,
                initialState: OrderCount(),
                reducer: JournaledStore.reducer,
                middleware: JournaledStore.effects()
            )
            : try await JournaledStore.Store(
                recovering: journal,
                initialState: OrderCount(),
                reducer: JournaledStore.reducer
            )
        return (store, journal)
    }

    /// The calls of the system alone: a group of actions in one write.
    private func raw(
        _ group: Int,
        share: Double = 0.5,
        syncs: Bool = true,
        atLeast size: Int = 0
    ) throws -> Contender {
        let bytes = JournaledOrder.frameBytes + group * JournaledOrder.recordBytes
        let most = Contender("", share: share) { _ in 0 }.scaled(pairing.operations)
        let file = try RawFile(disk, bytes: max(size, (most / group + 1) * bytes))
        let name = syncs ? "write + fdatasync of \(group)" : "write of \(group)"
        return Contender(name, share: share) { operations in
            let groups = max(1, operations / group)
            let time = try file.write(groups: groups, of: bytes, syncs: syncs)
            return time * UInt64(operations) / UInt64(groups * group)
        }
    }

    private func others(
        _ group: Int,
        process: JournaledStore.Store,
        interval: JournaledStore.Store,
        _ batch: [JournaledOrder]
    ) async throws -> [Row] {
        let disk = disk
        func database(_ group: Int, full: Bool, share: Double) -> Contender {
            Contender("SQLite, \(full ? "FULL" : "NORMAL"), transactions of \(group)", share: share) { operations in
                let name = disk.name("database")
                let time = disk_sqlite(name, UInt64(operations), 64, UInt64(group), full)
                return try BenchDisk.check(time, "SQLite")
            }
        }
        let plain = Contender("a buffered file (stdio)", share: 0.5) { operations in
            let bytes = UInt64(JournaledOrder.recordBytes)
            return try BenchDisk.check(disk_write_buffered(disk.name("plain"), UInt64(operations), bytes), "stdio")
        }
        let contenders = [
            Contender(".process", share: 0.5) { try await JournaledStore.time(process, batch, $0) },
            try raw(group, syncs: false), plain,
            Contender(".interval(10 ms)", share: 0.5) { try await JournaledStore.time(interval, batch, $0) },
            database(group, full: true, share: 0.1), database(group, full: false, share: 0.1),
            database(1, full: true, share: 0.0005),
        ]
        var rows: [Row] = []
        for contender in contenders {
            rows.append(Row(contender.name, time: try await pairing.measure(contender, runs: pairing.pairs)))
        }
        return rows
    }
}

extension Pairing {
    /// The mean size of a journal's groups in one run of the contender that writes to it.
    @MainActor
    func groupSize<Action>(_ journal: Journal<Action>, _ contender: Contender) async throws -> Int {
        _ = try await contender.timed(operations)
        let before = journal.metrics
        _ = try await contender.timed(operations)
        let after = journal.metrics
        return max(1, Int((after.recorded - before.recorded) / max(1, after.groups - before.groups)))
    }
}
