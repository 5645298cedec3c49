// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting
import OrderBookModel
import Synchronization
import Testing

@Suite("the risk guard and what follows from it")
struct GuardTests {
    private static let limits = Book.Limits(position: 100, bigTrade: 500)
    /// The desk has 150 shares, and may have 100.
    private static let over: [BookAction] = [.sell(1, 1_000, at: 1_000), .buy(2, 150, at: 1_000, .desk)]

    private func exchange(_ order: ActionOrder = .internalFirst) -> Exchange {
        Exchange(Market([apple, bread], limits: Self.limits), order: order)
    }

    @Test("the guard reports a position over the limit, and not again when the state has the report")
    func probe() {
        let probe = MiddlewareProbe(RiskGuard(), state: Book(limits: Self.limits, after: Self.over))
        let report = BookAction.breached(event: 2, position: 150)
        #expect(probe.send(Self.over[1]).map(\.action) == [report])
        #expect(probe.send(.bigTrade(event: 2, size: 500, price: 1)).isEmpty, "it answers orders only")
        Book.reducer.reduce(report, &probe.state)
        #expect(probe.send(Self.over[1]).isEmpty)
    }

    @Test("the trade watch reports each big trade once, also while its report waits")
    func bigTrade() {
        let trade: [BookAction] = [.sell(1, 600, at: 1_000), .buy(2, 500, at: 1_000)]
        let probe = MiddlewareProbe(TradeWatch(), state: Book(limits: Self.limits, after: trade))
        #expect(probe.send(trade[1]).map(\.action) == [.bigTrade(event: 2, size: 500, price: 1_000)])
        Book.reducer.reduce(.buy(3, 1, at: 900), &probe.state)
        #expect(probe.send(.buy(3, 1, at: 900)).isEmpty)
    }

    @Test("a report is handled next, and the desk's orders are refused then")
    func report() {
        let exchange = exchange()
        let store = TestStore(
            initialState: exchange.market,
            reducer: Market.reducer,
            middleware: exchange.middleware,
            order: exchange.order
        )
        store.exhaustivity = .off
        for action in Self.over { store.send(.book(apple, action)) }
        store.receive(.book(apple, .breached(event: 2, position: 150)))
        store.send(.book(apple, .buy(3, 10, at: 1_000, .desk)))
        store.send(.book(apple, .buy(4, 10, at: 1_000)))
        let book = store.state.books[apple]
        #expect(book?.desk.reports == 1)
        #expect(book?.totals.refused == 1)
        #expect(book?.desk.position == 150)
        store.finish()
    }

    @Test("a kill switch stops all books, and a resume opens them")
    func killSwitch() {
        var exchange = exchange()
        exchange.killAtBreaches = 1
        let store = TestStore(
            initialState: exchange.market,
            reducer: Market.reducer,
            middleware: exchange.middleware,
            order: exchange.order
        )
        store.exhaustivity = .off
        for action in Self.over { store.send(.book(apple, action)) }
        store.receive(.book(apple, .breached(event: 2, position: 150)))
        store.receive(.kill(number: 1))
        #expect(store.state.isHalted)
        store.send(.book(bread, .buy(1, 10, at: 1_000)))
        #expect(store.state.books[bread]?.totals.refused == 1)
        store.send(urgent: .resume(number: 1))
        store.send(.book(bread, .buy(1, 10, at: 1_000)))
        #expect(store.state.books[bread]?.orderCount == 1)
        store.finish()
    }

    @Test("the kill switch stops trading before the orders that wait", arguments: [ActionOrder.internalFirst, .fifo])
    func overtakes(order: ActionOrder) {
        var exchange = exchange(order)
        exchange.killAtBreaches = 1
        let store = TestStore(
            initialState: exchange.market,
            reducer: Market.reducer,
            middleware: exchange.middleware,
            order: exchange.order
        )
        store.exhaustivity = .off
        for action in Self.over { store.send(.book(apple, action)) }
        store.store.dispatch(.book(bread, .buy(1, 10, at: 1_000)))
        store.receive(.book(apple, .breached(event: 2, position: 150)))
        store.receive(.kill(number: 1))
        store.receive(.book(bread, .buy(1, 10, at: 1_000)))
        #expect(store.state.books[bread]?.totals.refused == 1)
        // A resume is not undone before another symbol is breached.
        store.send(urgent: .resume(number: 1))
        #expect(store.state.dueKill(atBreaches: 1) == nil)
        store.send(.book(bread, .breached(event: 1, position: 200)))
        store.receive(.kill(number: 2))
        store.finish()
    }

    @Test("there is one alert a second for a symbol, however often the guard reports")
    func alerts() {
        let alerts = Shared<[String]>([])
        var exchange = exchange(.fifo)
        exchange.alert = { text in alerts.value.withLock { $0.append(text) } }
        let store = TestStore(initialState: exchange.market, reducer: Market.reducer, middleware: exchange.middleware)
        store.exhaustivity = .off
        for position in 150...155 { store.send(.book(apple, .breached(event: 2, position: position))) }
        store.send(.book(bread, .breached(event: 2, position: -150)))
        #expect(alerts.value.withLock { $0 } == ["A: the desk has 150 shares", "B: the desk has -150 shares"])
        store.advance(by: .seconds(1))
        store.send(.book(apple, .breached(event: 9, position: 160)))
        #expect(alerts.value.withLock { $0.count } == 3)
        store.advance(by: .seconds(1))
        store.finish()
    }

    @Test("a report that was lost is owed by the state")
    func owed() {
        var market = exchange().market
        for action in Self.over { Market.reducer.reduce(.book(apple, action), &market) }
        #expect(market.dueReports == [.book(apple, .breached(event: 2, position: 150))])
        Market.reducer.reduce(.book(apple, .buy(5, 600, at: 1_000)), &market)
        #expect(market.dueReports.count == 2)
        for report in market.dueReports { Market.reducer.reduce(report, &market) }
        #expect(market.dueReports == [])
    }

    /// Two producers: the desk goes over the limit of both symbols. Returns the reports of the two.
    private func reports(_ world: SimulatedWorld, _ order: ActionOrder) throws -> [Int] {
        var exchange = exchange(order)
        exchange.engine = .simulated(in: world)
        exchange.publication = .everyAction
        let store = exchange.makeStore()
        for symbol in [apple, bread] {
            world.thread("\(symbol)") {
                for action in Self.over { store.dispatch(.book(symbol, action)) }
                for id in 3...6 as ClosedRange<UInt64> { store.dispatch(.book(symbol, .buy(id, 10, at: 1_000, .desk))) }
            }
        }
        world.invariant("no book has a defect") { store.state.books.values.allSatisfy { $0.defects.isEmpty } }
        try world.run()
        return store.state.books.values.map(\.desk.reports)
    }

    @Test("with internalFirst the guard reports once for each symbol, under every schedule")
    func once() throws {
        try SimulatedWorld.explore(seeds: 0..<100) { world in
            guard try reports(world, .internalFirst) == [1, 1] else { throw WrongReports() }
        }
    }

    @Test("with fifo the reports wait behind the orders, and there are more")
    func fifo() throws {
        let most = Shared(0)
        try SimulatedWorld.explore(seeds: 0..<20) { world in
            let count = try reports(world, .fifo).reduce(0, +)
            most.value.withLock { $0 = max($0, count) }
        }
        #expect(most.value.withLock { $0 } > 2)
    }

    /// What closures change.
    private final class Shared<Value: Sendable>: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) {
            self.value = Mutex(value)
        }
    }

    private struct WrongReports: Error {}
}
