// SPDX-License-Identifier: Apache-2.0

import Millrace

extension Book {
    /// The reducer of one book.
    package static var reducer: Reducer<BookAction, Book> {
        .reduce { action, book in book.boxed[0].apply(action) }
    }
}

extension BookContent {
    mutating func apply(_ action: BookAction) {
        switch action {
        case .place(let order):
            totals.events += 1
            place(order)
        case .cancel(let id):
            totals.events += 1
            cancel(id, .max)
        case .reduce(let id, let size):
            totals.events += 1
            cancel(id, size)
        case .executed(let id, let size):
            totals.events += 1
            execute(id, size)
        case .executedHidden(let size, let price):
            totals.events += 1
            guard size > 0 else { return totals.refused += 1 }
            note(trade: Int(size), at: price)
        case .halt: isHalted = true
        case .resume: isHalted = false
        case .breached:
            desk.isBreached = true
            desk.reports += 1
        case .bigTrade(let event, _, _): reportedTrade = max(reportedTrade, event)
        }
    }

    private mutating func place(_ order: Order) {
        guard order.size > 0, order.price > 0, pool.slot(of: order.id) == nil, !isHalted else {
            return totals.refused += 1
        }
        if order.account == .desk {
            guard !desk.isBreached else { return totals.refused += 1 }
            if isOverLimit { desk.ordersOverLimit += 1 }
        }
        totals.placedShares += Int(order.size)
        var rest = order
        while rest.size > 0, let slot = opponent(of: rest) { match(&rest, with: slot) }
        guard rest.size > 0 else { return }
        let slot = pool.insert(rest)
        switch rest.side {
        case .buy: bids.append(slot, in: &pool)
        case .sell: asks.append(slot, in: &pool)
        }
    }

    /// The order that an order trades with next; nil if it crosses none.
    private func opponent(of order: Order) -> Int32? {
        switch order.side {
        case .buy: asks.best.flatMap { $0 <= order.price ? asks.first : nil }
        case .sell: bids.best.flatMap { $0 >= order.price ? bids.first : nil }
        }
    }

    /// Trades at the price of the order that waited.
    private mutating func match(_ order: inout Order, with slot: Int32) {
        let waiting = pool[slot]
        let size = min(order.size, waiting.size)
        take(size, from: slot, on: waiting.side)
        order.size -= size
        totals.matchedShares += 2 * Int(size)
        note(trade: Int(size), at: waiting.price)
        addPosition(order.account, order.side, size)
        addPosition(waiting.account, waiting.side, size)
    }

    private mutating func cancel(_ id: UInt64, _ size: Int32) {
        guard let slot = pool.slot(of: id) else { return totals.unknown += 1 }
        guard size > 0 else { return totals.refused += 1 }
        let node = pool[slot]
        let size = min(size, node.size)
        totals.cancelledShares += Int(size)
        take(size, from: slot, on: node.side)
    }

    private mutating func execute(_ id: UInt64, _ size: Int32) {
        guard let slot = pool.slot(of: id) else { return totals.unknown += 1 }
        guard size > 0 else { return totals.refused += 1 }
        let node = pool[slot]
        let size = min(size, node.size)
        totals.executedShares += Int(size)
        take(size, from: slot, on: node.side)
        note(trade: Int(size), at: node.price)
        addPosition(node.account, node.side, size)
    }

    private mutating func take(_ size: Int32, from slot: Int32, on side: Side) {
        switch side {
        case .buy: _ = bids.take(size, from: slot, in: &pool)
        case .sell: _ = asks.take(size, from: slot, in: &pool)
        }
    }

    private mutating func note(trade size: Int, at price: Int32) {
        totals.trades += 1
        totals.volume += size
        if lastFill.event != totals.events { lastFill = Book.Fill(event: totals.events) }
        lastFill.size += size
        lastFill.price = price
    }

    private mutating func addPosition(_ account: Account, _ side: Side, _ size: Int32) {
        guard account == .desk else { return }
        desk.position += side == .buy ? Int(size) : -Int(size)
    }
}
