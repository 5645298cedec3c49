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
    if runs.options.order == .internalFirst {
        let isSame = try CanonicalHash(of: plain.market) == CanonicalHash(of: journaled.market)
        print("  both runs end with \(isSame ? "the same books" : "DIFFERENT BOOKS")")
    }

    print("\nThe risk guard, while orders wait")
    var guarded = Table("order", "symbols over the limit", "reports", "orders of the desk over the limit")
    for (title, order) in [("internalFirst", ActionOrder.internalFirst), ("fifo", .fifo)] {
        let books = try await runs.plain("order \(title)", order: order).market.books.values
        guarded.add(
            title,
            grouped(books.count { $0.desk.isBreached }),
            grouped(books.reduce(0) { $0 + $1.desk.reports }),
            grouped(books.reduce(0) { $0 + $1.desk.ordersOverLimit })
        )
    }
    print(guarded.text)

    let most = (runs.exchange.market.books.count + 1) / 2
    let stopped = try await runs.plain("kill switch", order: .internalFirst, killAtBreaches: most).market
    let books = stopped.books.values
    print("\nThe kill switch, when \(most) symbols are over the limit")
    print(
        "  stopped \(stopped.kills) time, trades before it \(grouped(books.reduce(0) { $0 + $1.totals.trades }))",
        terminator: ""
    )
    print(", orders refused \(grouped(books.reduce(0) { $0 + $1.totals.refused }))")
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
