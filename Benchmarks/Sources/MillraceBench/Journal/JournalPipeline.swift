// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceJournal
import MillraceRecords

/// What a journal costs the pipeline's thread: the caller's, which drains (P2, P8).
@MainActor
struct JournalPipeline {
    let disk: BenchDisk
    let pairing: Pairing

    private struct CodableCount: Sendable {
        var count: UInt64 = 0
    }

    func measure() async throws -> [Row] {
        let plain = try await difference(effectIn: 0)
        let effects = try await difference(effectIn: 20)
        let codable = try await codable()
        return [
            Row(
                "P2 .process: ns an action more, 64 bytes",
                mallocs: plain.mallocs,
                amount: plain.more,
                // The journal's own threads allocate a little, whatever the number of actions: in a short run on a busy
                // machine 0.007 for each was seen. `bench-check` counts the same action exactly.
                targets: [Target(figure: .amount, atMost: 25), Target(figure: .mallocs, atMost: 0.02)]
            ),
            Row(
                "P2 the same, an effect for 5 %",
                amount: effects.more,
                targets: [Target(figure: .amount, atMost: 25)]
            ),
            Row("P8 Codable: ns an action more", amount: codable, targets: [Target(figure: .amount, atMost: 40)]),
        ]
    }

    /// Runs two stores by turns, and returns the median difference of their processor times an action.
    private func compare(_ plain: (Int) -> Void, _ journaled: (Int) -> Void, wait: () async throws -> Void) async throws
        -> Double
    {
        let operations = min(pairing.operations, 200_000)
        var differences: [Double] = []
        for pair in 0...pairing.pairs {
            var times = [0.0, 0.0]
            for side in pair % 2 == 0 ? [0, 1] : [1, 0] {
                let start = JournaledStore.processorTime()
                side == 0 ? plain(operations) : journaled(operations)
                times[side] = Double(JournaledStore.processorTime() - start) / Double(operations)
                if side == 1 { try await wait() }
            }
            // The first pair warms up.
            if pair > 0 { differences.append(times[1] - times[0]) }
        }
        return Sample(differences)?.median ?? .infinity
    }

    /// The median difference for a backlog that the pipeline's own thread works off.
    private func difference(effectIn part: Int) async throws -> (more: Double, mallocs: Double) {
        pairing.progress.show(part == 0 ? "P2" : "P2 with effects")
        let plain = Backlog()
        let plainStore = JournaledStore.Store(
            initialState: OrderCount(),
            reducer: plain.reducer,
            middleware: JournaledStore.effects(),
            publication: .onDemand
        )
        let journaled = Backlog()
        let journal = try JournaledStore.journal(disk.name("pipeline"), .process)
        let journaledStore = try await JournaledStore.Store(
            recovering: journal,
            initialState: OrderCount(),
            reducer: journaled.reducer,
            middleware: JournaledStore.effects(),
            publication: .onDemand
        )
        let operations = min(pairing.operations, 60_000)
        let batch = JournaledStore.batch(operations, effectIn: part)
        var differences: [Double] = []
        for pair in 0...pairing.pairs {
            var times = [0.0, 0.0]
            for side in pair % 2 == 0 ? [0, 1] : [1, 0] {
                times[side] =
                    side == 0
                    ? await plain.time(plainStore, batch) : await journaled.time(journaledStore, batch)
                if side == 1 { try await journaledStore.journaled() }
            }
            // The first pair warms up.
            if pair > 0 { differences.append(times[1] - times[0]) }
        }
        let mallocs = try await pairing.mallocs(
            Contender("P2") { operations in
                for _ in 0..<operations / 128 { journaledStore.dispatch(contentsOf: batch.prefix(128)) }
                await journaledStore.drain()
                return 1
            }
        )
        _ = await plainStore.shutdown()
        _ = await journaledStore.shutdown()
        return (Sample(differences)?.median ?? .infinity, mallocs)
    }

    private func codable() async throws -> Double {
        pairing.progress.show("P8")
        typealias Store = ReduxStoreBase<CodableOrder, CodableCount>
        let reducer = Reducer<CodableOrder, CodableCount>.reduce { order, state in state.count &+= order.id }
        let plain = Store(
            initialState: CodableCount(),
            reducer: reducer,
            engine: .caller,
            publication: .onDemand
        )
        let journal = try Journal<CodableOrder>(
            directory: disk.name("codable"),
            codec: .codable(version: 1),
            durability: .process,
            capacity: 65_536
        )
        let journaled = try await Store(
            recovering: journal,
            initialState: CodableCount(),
            reducer: reducer,
            engine: .caller,
            publication: .onDemand
        )
        // At most as many as the ring holds: what waits for the encoder is back-pressure, not a cost of the pipeline.
        let batch = [CodableOrder](repeating: CodableOrder(), count: 500)
        func run(_ store: Store, _ operations: Int) {
            for _ in 0..<min(operations, 60_000) / batch.count { store.dispatch(contentsOf: batch) }
        }
        let scale = Double(min(pairing.operations, 200_000)) / Double(min(pairing.operations, 60_000))
        let more = try await compare(
            { run(plain, $0) },
            { run(journaled, $0) },
            wait: { try await journaled.journaled() }
        )
        _ = await plain.shutdown()
        _ = await journaled.shutdown()
        return more * scale
    }
}
