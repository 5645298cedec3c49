// SPDX-License-Identifier: Apache-2.0

import Millrace

extension BookAction {
    /// Whether it can change the position or trade. Reports cannot: or else the guard would answer the report of the trade
    /// watch, and report twice.
    fileprivate var canTrade: Bool {
        switch self {
        case .place, .executed, .executedHidden: true
        case .cancel, .reduce, .halt, .resume, .breached, .bigTrade: false
        }
    }
}

/// Reports that the desk is over its limit. It looks whether it has reported already: that is enough with
/// `order: .internalFirst`. With `.fifo` its report waits behind the orders that wait, and it reports at each of them.
package struct RiskGuard: MiddlewareProtocol {
    package init() {}

    package func handle(action: BookAction, from: ActionSource, state: @escaping GetState<Book>) -> IO<BookAction> {
        .pure()
    }

    package func afterReduce(
        action: BookAction,
        from: ActionSource,
        state: @escaping GetState<Book>,
        output: AnyActionHandler<BookAction>
    ) {
        guard action.canTrade, let report = state().dueBreach else { return }
        output.dispatch(report)
    }
}

/// Reports big trades.
package struct TradeWatch: MiddlewareProtocol {
    package init() {}

    package func handle(action: BookAction, from: ActionSource, state: @escaping GetState<Book>) -> IO<BookAction> {
        .pure()
    }

    package func afterReduce(
        action: BookAction,
        from: ActionSource,
        state: @escaping GetState<Book>,
        output: AnyActionHandler<BookAction>
    ) {
        guard action.canTrade else { return }
        let book = state()
        // Of this action: with `.fifo` the report of an earlier one may wait still.
        guard book.lastFill.event == book.totals.events, let report = book.dueBigTrade else { return }
        output.dispatch(report)
    }
}

/// Stops all trading when so many symbols are breached. Its action is urgent: it is handled before everything that waits.
package struct KillSwitch: MiddlewareProtocol {
    private let breaches: Int

    package init(atBreaches breaches: Int) {
        self.breaches = breaches
    }

    package func handle(action: OrderAction, from: ActionSource, state: @escaping GetState<Market>) -> IO<OrderAction> {
        .pure()
    }

    package func afterReduce(
        action: OrderAction,
        from: ActionSource,
        state: @escaping GetState<Market>,
        output: AnyActionHandler<OrderAction>
    ) {
        guard case .book(_, .breached) = action else { return }
        guard let kill = state().dueKill(atBreaches: breaches) else { return }
        output.dispatch(urgent: kill)
    }
}
