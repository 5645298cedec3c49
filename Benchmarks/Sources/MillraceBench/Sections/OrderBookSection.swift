// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import MillraceJournal
import MillraceRecords
import OrderBookModel

/// The example of the order book, with all its middlewares, without and with a journal.
///
/// An operation is an action of the feeds. Two threads make and dispatch them; the reports that the risk guard adds are
/// not counted. A run has a store and a journal of its own. Making them is not timed.
struct OrderBookSection: Section {
    let id = "orderbook"
    private static let symbols = Symbol.generated(8)

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let disk = try BenchDisk()
        let few = Pairing(
            pairs: pairing.pairs,
            // The same number for each symbol.
            operations: max(1, min(pairing.operations, 400_000) / Self.symbols.count) * Self.symbols.count,
            progress: pairing.progress
        )
        var tables: [Table] = []
        for (order, name) in [(ActionOrder.internalFirst, ".internalFirst, .exact"), (.fifo, ".fifo, .held")] {
            let plain = Contender("without a journal") { try await time($0, order, nil, disk) }
            let levels = [("process", Durability.process), ("grouped", .grouped)]
            let journaled = levels.map { text, level in
                Contender(".\(text)") { try await time($0, order, level, disk) }
            }
            guard let outcome = try await few.measure(plain, against: journaled) else {
                throw BenchmarkError.noMemory("samples")
            }
            var rows = [Row(plain.name, time: outcome.subject)]
            for (contender, rival) in zip(journaled, outcome.rivals) {
                rows.append(Row(contender.name, time: rival.time, ratio: rival.ratio))
            }
            tables.append(Table(title: "The order book, \(name)", rows: rows))
        }
        return tables
    }

    /// Runs all feeds through a new store, and returns the nanoseconds until all actions are handled; with a journal,
    /// until they are durable.
    private func time(
        _ operations: Int,
        _ order: ActionOrder,
        _ durability: Durability?,
        _ disk: BenchDisk
    ) async throws -> UInt64 {
        let exchange = Exchange(Market(Self.symbols), order: order)
        let feeds = Self.symbols.map { Feed($0, seed: 1, count: operations / Self.symbols.count) }
        let name = disk.name("book")
        let store =
            if let durability {
                try await exchange.recover(
                    from: try Journal(directory: name, codec: .bitwise(version: 1), durability: durability)
                )
            } else {
                exchange.makeStore()
            }
        let start = bench_now()
        try await Exchange.send(feeds, to: store)
        let time = bench_now() - start
        let events = store.state.books.values.reduce(0) { $0 + $1.totals.events }
        _ = await store.shutdown()
        disk.remove(name)
        guard events == operations else {
            throw BenchmarkError.wrongResult(contender: "order book", expected: "\(operations)", found: "\(events)")
        }
        return time
    }
}
