// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceJournal
import MillraceTesting
import OrderBookModel
import Testing

@Suite("recovery")
struct RecoveryTests {
    private func journal(_ folder: Folder) throws -> Journal<OrderAction> {
        try Journal(directory: folder.path, codec: .bitwise(version: 1), durability: .process, segmentBytes: 1 << 18)
    }

    @Test("reports that a crash has lost are made by the recovery", arguments: [ActionOrder.internalFirst, .fifo])
    func lostReports(order: ActionOrder) async throws {
        let folder = try Folder()
        let market = Market([apple, bread], limits: Book.Limits(position: 100, bigTrade: 150))
        // A store without middlewares: what it journals is what a crash leaves right before the reports.
        let crashed = try await ReduxStoreBase(
            recovering: try journal(folder),
            initialState: market,
            reducer: Market.reducer
        )
        crashed.dispatch(.book(apple, .sell(1, 1_000, at: 1_000)))
        crashed.dispatch(.book(apple, .buy(2, 150, at: 1_000, .desk)))
        _ = await crashed.shutdown()

        var exchange = Exchange(market, order: order)
        exchange.trail = try AuditTrail(path: folder.path + "/audit")
        for _ in 1...2 {
            let store = try await exchange.recover(from: try journal(folder))
            await store.drain()
            #expect(store.state.books[apple]?.desk.reports == 1)
            #expect(store.state.dueReports == [])
            _ = await store.shutdown()
        }
        #expect(
            lines(folder.path + "/audit") == ["breach A 2 position 150", "trade A 2 size 150 price 1000"],
            "and each line is written once"
        )
        #expect(exchange.trail?.failures == 0)
    }

    @Test("a stop that a crash has lost is made by the recovery, once")
    func lostKill() async throws {
        let folder = try Folder()
        let crashed = try await ReduxStoreBase(
            recovering: try journal(folder),
            initialState: Market([apple]),
            reducer: Market.reducer
        )
        crashed.dispatch(.book(apple, .breached(event: 1, position: 200)))
        _ = await crashed.shutdown()

        var exchange = Exchange(Market([apple]))
        exchange.killAtBreaches = 1
        for isHalted in [true, false] {
            let store = try await exchange.recover(from: try journal(folder))
            await store.drain()
            #expect(store.state.isHalted == isHalted)
            #expect(store.state.kills == 1)
            store.dispatch(.resume(number: 1))
            _ = await store.shutdown()
        }
    }

    @Test("a line is written by the IO of its action, so not before the action is durable")
    func lineInIO() throws {
        let path = try Folder().path + "-audit"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let probe = MiddlewareProbe(Audit(try AuditTrail(path: path)), state: Market([apple]))
        probe.send(.kill(number: 1)) { _ in
            #expect(lines(path) == [])
        }
        #expect(lines(path) == ["kill all 1"])
        probe.send(.book(apple, .halt))
        #expect(lines(path).count == 1)
    }

    @Test("a feed that begins again from its first action changes nothing")
    func onceOnly() async throws {
        let folder = try Folder()
        let feeds = [Feed(apple, seed: 1, count: 500), Feed(bread, seed: 1, count: 500)]
        let exchange = Exchange(Market([apple, bread]))
        let store = try await exchange.recover(from: try journal(folder))
        try await Exchange.send(feeds, to: store)
        let market = store.state
        try await Exchange.send(feeds, to: store)
        var again = feeds[0]
        store.dispatch(contentsOf: again.take(500), producer: again.producer, number: 1)
        await store.drain()
        #expect(store.state == market)
        #expect(market.books[bread]?.totals.events == 500)
        _ = await store.shutdown()
    }
}
