// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceJournal

/// The store of the example, with and without a journal.
package struct Exchange: Sendable {
    package typealias Store = ReduxStoreBase<OrderAction, Market>

    package var market: Market
    /// `.internalFirst`: a report is handled next. `.fifo`: it waits behind the orders that wait.
    package var order: ActionOrder
    package var trail: AuditTrail?
    /// Told of each breach, at most once a second for each symbol.
    package var alert: @Sendable (String) -> Void = { _ in }
    /// The kill switch stops all trading when so many symbols are breached.
    package var killAtBreaches = Int.max
    package var engine: StoreEngine = .thread()
    package var capacity: StoreCapacity = .bounded(65_536)
    /// Each publication makes the next change of each book copy it. So a large state is not published each millisecond.
    package var publication: Publication = .atMost(every: .milliseconds(100))

    package init(_ market: Market, order: ActionOrder = .internalFirst) {
        self.market = market
        self.order = order
    }

    /// The risk guard and the trade watch of one book, lifted to all books, and what watches the market.
    package var middleware: some MiddlewareProtocol<OrderAction, OrderAction, Market> {
        let watchers: LiftToElementMiddleware<OrderAction, OrderAction, Market, Symbol, _> =
            (RiskGuard() <> TradeWatch())
            .liftToDictionary(inputAction: \.element, outputAction: { .ofBook($0) }, state: \.books)
        return watchers <> KillSwitch(atBreaches: killAtBreaches) <> Audit(trail) <> alerts
    }

    private var alerts: SimpleEffectMiddleware<OrderAction, Market> {
        let alert = alert
        return .onAction { action, _, _ in
            guard case .book(let symbol, .breached(_, let position)) = action else { return .doNothing }
            return .fireAndForget { alert("\(symbol): the desk has \(position) shares") }
                .throttle(for: .seconds(1), token: symbol, latest: false)
        }
    }

    /// Makes a store without a journal.
    package func makeStore() -> Store {
        ReduxStoreBase(
            initialState: market,
            reducer: Market.reducer,
            middleware: middleware,
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order
        )
    }

    /// Makes a store from a journal. A stop and reports that were lost in a crash are dispatched before it returns.
    package func recover(from journal: Journal<OrderAction>, snapshotEvery actions: Int = 250_000) async throws -> Store
    {
        let store = try await ReduxStoreBase(
            recovering: journal,
            initialState: market,
            reducer: Market.reducer,
            middleware: middleware,
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order,
            snapshots: .every(actions: actions, by: .codable(version: 1)),
            // Work can be held only in the order `.fifo`. With `.internalFirst` the pipeline waits for the journal at the few
            // actions that have work: reports and stops.
            held: order == .fifo ? .held : .exact
        )
        if let kill = store.state.dueKill(atBreaches: killAtBreaches) { store.dispatch(urgent: kill) }
        for report in store.state.dueReports { store.dispatch(report) }
        return store
    }
}
