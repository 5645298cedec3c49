// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The order book of one symbol: better prices trade first, and at one price the order that came first.
///
/// No action costs more than the logarithm of the number of orders, besides the trades that it makes.
package struct Book: Codable, Equatable, Sendable {
    /// What the guard and the trade watch compare with.
    package struct Limits: Codable, Equatable, Sendable {
        /// The most shares that the desk may have bought or sold short.
        package var position = 50_000
        /// The shares of a trade that goes into the audit trail.
        package var bigTrade = 8_000

        package init(position: Int = 50_000, bigTrade: Int = 8_000) {
            self.position = position
            self.bigTrade = bigTrade
        }
    }

    /// Counts since the first action.
    package struct Totals: Codable, Equatable, Sendable {
        /// Actions from outside; the last one has this number.
        package var events: UInt64 = 0
        package var trades = 0
        /// Shares that were traded.
        package var volume = 0
        /// Orders that were not accepted: trading is halted, the desk is over its limit, or the order makes no sense.
        package var refused = 0
        /// Actions for an order that is not in the book.
        package var unknown = 0
        /// Shares of accepted orders, and what became of them.
        package var placedShares = 0
        package var cancelledShares = 0
        package var matchedShares = 0
        package var executedShares = 0
    }

    /// What the desk has, and what the guard said about it.
    package struct Desk: Codable, Equatable, Sendable {
        package var position = 0
        package var isBreached = false
        /// How often the guard has reported the breach. Once, if its report comes first.
        package var reports = 0
        /// Orders of the desk that were accepted although its position was over the limit already.
        package var ordersOverLimit = 0
    }

    /// The trades of one event together.
    package struct Fill: Codable, Equatable, Sendable {
        package var event: UInt64 = 0
        package var size = 0
        /// The price of the last trade.
        package var price: Int32 = 0
    }

    /// One element. A lift to an element copies the element some times for each action; this way a copy is one word.
    var boxed: [BookContent]

    package init(limits: Limits = Limits()) {
        boxed = [BookContent(limits: limits)]
    }

    package var limits: Limits { boxed[0].limits }
    package var totals: Totals { boxed[0].totals }
    package var desk: Desk { boxed[0].desk }
    package var isHalted: Bool { boxed[0].isHalted }
    /// The trades of the last event that traded.
    package var lastFill: Fill { boxed[0].lastFill }
    /// The last big trade that was reported.
    package var reportedTrade: UInt64 { boxed[0].reportedTrade }

    /// The best price of a side; nil if the side is empty.
    package func best(_ side: Side) -> Int32? { boxed[0].best(side) }

    /// How many shares wait at the best price.
    package func bestSize(_ side: Side) -> Int { side == .buy ? boxed[0].bids.bestSize : boxed[0].asks.bestSize }

    /// How many orders wait.
    package var orderCount: Int { boxed[0].pool.count }

    /// How many shares of an order wait; nil if it is not in the book.
    package func size(ofOrder id: UInt64) -> Int32? { boxed[0].pool.slot(of: id).map { boxed[0].pool[$0].size } }

    /// Whether the position is over the limit.
    package var isOverLimit: Bool { boxed[0].isOverLimit }

    /// The report that the guard owes, as the state says. It follows from the state alone: so a report that was lost in a
    /// crash is made after the recovery.
    package var dueBreach: BookAction? {
        guard isOverLimit, !boxed[0].desk.isBreached else { return nil }
        return .breached(event: boxed[0].totals.events, position: boxed[0].desk.position)
    }

    /// The report that the trade watch owes.
    package var dueBigTrade: BookAction? {
        let fill = boxed[0].lastFill
        guard fill.size >= boxed[0].limits.bigTrade, fill.event > boxed[0].reportedTrade else { return nil }
        return .bigTrade(event: fill.event, size: fill.size, price: fill.price)
    }
}
