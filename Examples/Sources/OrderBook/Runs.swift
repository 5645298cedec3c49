// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceJournal
import MillraceRecords
import OrderBookModel
import Synchronization

/// How one run went.
struct Outcome {
    var market: Market
    var events: Int
    var seconds: Double
    /// How often somebody was told of a breach.
    var alerts: Int

    var rate: String { grouped(Int(Double(events) / max(seconds, 1e-9))) }
}

/// Counts calls from any thread.
final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}

/// The runs of the program.
struct Runs {
    let options: Options
    let exchange: Exchange
    let feeds: [Feed]
    /// What a file had that could not be used.
    let problems: String?

    init(_ options: Options) throws {
        self.options = options
        guard let path = options.csv else {
            let symbols = Symbol.generated(options.symbols)
            feeds = symbols.map { Feed($0, seed: options.seed, count: options.events / symbols.count) }
            exchange = Exchange(Market(symbols), order: options.order)
            problems = nil
            return
        }
        guard let symbol = Symbol(lobsterFile: path) else {
            throw UsageError(text: "the name of '\(path)' does not begin with a symbol, as AAPL_message.csv does")
        }
        let file = try LobsterFile(path: path)
        feeds = [Feed(symbol, file)]
        exchange = Exchange(Market([symbol]), order: options.order)
        let bad = file.problems.map { "    \($0.value) × \($0.key.rawValue)" }.sorted()
        problems = "\(grouped(file.lines)) lines" + (bad.isEmpty ? "" : "; not used:\n" + bad.joined(separator: "\n"))
    }

    var total: Int { feeds.reduce(0) { $0 + Int($1.last) } }

    /// A run without a journal.
    func plain(_ title: String, order: ActionOrder, killAtBreaches: Int = .max) async throws -> Outcome {
        var exchange = exchange
        exchange.order = order
        exchange.killAtBreaches = killAtBreaches
        return try await measure(title, exchange) { $0.makeStore() }
    }

    /// A run with a journal in a folder. It goes on where the journal ends.
    func journaled(_ title: String, in folder: String) async throws -> Outcome {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try claim(folder)
        var exchange = exchange
        exchange.trail = try AuditTrail(path: folder + "/audit")
        let journal = try Journal<OrderAction>(
            directory: folder + "/journal",
            codec: .bitwise(version: 1),
            durability: options.durability,
            segmentBytes: 16 << 20
        )
        return try await measure(title, exchange) { exchange in
            let store = try await exchange.recover(from: journal)
            if let recovery = store.recovery, recovery.lastSequence > 0 {
                print("  recovered: \(recovery)")
                fflush(nil)
            }
            return store
        }
    }

    private func measure(
        _ title: String,
        _ exchange: Exchange,
        _ makeStore: (Exchange) async throws -> Exchange.Store
    ) async throws -> Outcome {
        let alerts = Counter()
        var exchange = exchange
        exchange.alert = { _ in alerts.add() }
        let store = try await makeStore(exchange)
        let before = events(of: store.state)
        let progress = showProgress(title, of: total - before, in: store)
        let begin = ContinuousClock.now
        try await Exchange.send(feeds, to: store)
        let time = (ContinuousClock.now - begin) / .seconds(1)
        progress.cancel()
        await progress.value
        let market = store.state
        _ = await store.shutdown()
        return Outcome(market: market, events: events(of: market) - before, seconds: time, alerts: alerts.count)
    }

    private func events(of market: Market) -> Int {
        market.books.values.reduce(0) { $0 + Int($1.totals.events) }
    }

    /// Refuses the folder of a run with other input: its numbers would mean other orders.
    private func claim(_ folder: String) throws {
        let path = folder + "/run"
        if let data = FileManager.default.contents(atPath: path) {
            let other = String(decoding: data, as: UTF8.self)
            guard other == options.description else {
                throw UsageError(text: "'\(folder)' is of another run (\(other)). Remove it, or give the same options")
            }
        } else {
            try Data(options.description.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
    }
}
