// SPDX-License-Identifier: Apache-2.0

// Limit order books in a store, with and without a journal: docs/order-book.md describes it.
//
//     swift run -c release --package-path Examples OrderBook
//     swift run -c release --package-path Examples OrderBook --journal book.folder      kill it, and start it again

import Foundation
import Millrace
import MillraceRecords
import OrderBookModel

func run(_ options: Options) async throws {
    let runs = try Runs(options)
    print("Order book: \(options.description)")
    if let problems = runs.problems { print("  \(problems)") }
    if let folder = options.folder {
        let outcome = try await runs.journaled("with a journal", in: folder)
        print(outcome.market.table)
        print("  \(grouped(outcome.events)) new events, \(outcome.rate) a second, with a journal")
        print("hash \(try CanonicalHash(of: outcome.market))")
    } else {
        try await compare(runs)
    }
}

/// The same orders in several stores: without and with a journal, in both orders, and with a kill switch.
func compare(_ runs: Runs) async throws {
    let plain = try await runs.plain("without a journal", order: runs.options.order)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("order-book-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let journaled = try await runs.journaled("with a journal", in: folder)
    print(plain.market.table)

    print("\nEvents a second")
    var rates = Table("", "events", "seconds", "a second")
    for (title, outcome) in [("without a journal", plain), ("with a journal", journaled)] {
        rates.add(title, grouped(outcome.events), String(format: "%.2f", outcome.seconds), outcome.rate)
    }
    print(rates.text)
    // With `.fifo` the reports come at another place in each run.
    if runs.options.order == .internalFirst {
        guard try CanonicalHash(of: plain.market) == CanonicalHash(of: journaled.market) else { throw OtherBooks() }
        print("  both runs end with the same books")
    }
    try await compareOrders(runs)
    try await stopTrading(runs)
}

func compareOrders(_ runs: Runs) async throws {
    print("\nThe risk guard, while orders wait")
    var table = Table("order", "symbols over the limit", "reports", "alerts", "orders of the desk over the limit")
    for (title, order) in [("internalFirst", ActionOrder.internalFirst), ("fifo", .fifo)] {
        let outcome = try await runs.plain("order \(title)", order: order)
        let books = outcome.market.books.values
        table.add(
            title,
            grouped(books.count { $0.desk.isBreached }),
            grouped(books.reduce(0) { $0 + $1.desk.reports }),
            grouped(outcome.alerts),
            grouped(books.reduce(0) { $0 + $1.desk.ordersOverLimit })
        )
    }
    print(table.text)
}

func stopTrading(_ runs: Runs) async throws {
    let most = (runs.exchange.market.books.count + 1) / 2
    let market = try await runs.plain("kill switch", order: .internalFirst, killAtBreaches: most).market
    let totals = market.books.values.map(\.totals)
    print("\nThe kill switch, when \(most) symbols are over the limit")
    var table = Table("stops", "events", "trades before it", "orders refused")
    table.add(
        grouped(market.kills),
        grouped(totals.reduce(0) { $0 + Int($1.events) }),
        grouped(totals.reduce(0) { $0 + $1.trades }),
        grouped(totals.reduce(0) { $0 + $1.refused })
    )
    print(table.text)
}

/// The journal has changed what the store makes of its actions.
struct OtherBooks: Error, CustomStringConvertible {
    var description: String { "The run with the journal ended with other books than the run without it." }
}

do {
    try await run(Options(Array(CommandLine.arguments.dropFirst())))
} catch let error as UsageError {
    FileHandle.standardError.write(Data("OrderBook: \(error.text).\n\n\(Options.usage)\n".utf8))
    exit(2)
} catch {
    FileHandle.standardError.write(Data("OrderBook: \(error)\n".utf8))
    exit(1)
}
