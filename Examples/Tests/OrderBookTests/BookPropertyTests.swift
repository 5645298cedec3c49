// SPDX-License-Identifier: Apache-2.0

import OrderBookModel
import Testing

@Suite("generated orders")
struct BookPropertyTests {
    @Test(
        "no book is crossed, no share is lost, and the trades are those of a simple book",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func simple(seed: UInt64) {
        var gateway = Gateway(apple, seed: seed, depth: 64)
        var book = Book(limits: Book.Limits(position: .max, bigTrade: .max))
        var simple = SimpleBook()
        for number in 1...5_000 {
            guard case .book(_, let action) = gateway.next() else { continue }
            Book.reducer.reduce(action, &book)
            simple.apply(action)
            let isSame =
                book.totals.volume == simple.volume && book.orderCount == simple.orders.count
                && book.best(.buy) == simple.best(.buy) && book.best(.sell) == simple.best(.sell)
            let defects = number % 50 == 0 ? book.defects : []
            guard isSame, defects.isEmpty else {
                Issue.record("seed \(seed), action \(number), \(action): \(defects)")
                return
            }
        }
        #expect(book.totals.trades > 500)
        #expect(book.orderCount <= 64)
    }

    @Test("a gateway makes the same orders again, also when it begins in the middle")
    func repeats() {
        var feed = Feed(apple, seed: 3, count: 1_000)
        let all = feed.take(1_000)
        #expect(all.count == 1_000 && feed.left == 0)
        var again = Feed(apple, seed: 3, count: 1_000)
        again.goOn(after: 400)
        #expect(again.next == 401)
        #expect(again.take(1_000) == Array(all[400...]))
        var other = Feed(apple, seed: 4, count: 1_000)
        #expect(other.take(1_000) != all)
    }
}

/// A book that is easy to read and slow: an array of orders, the first one to come at its beginning.
private struct SimpleBook {
    var orders: [Order] = []
    var volume = 0

    func best(_ side: Side) -> Int32? {
        let prices = orders.filter { $0.side == side }.map(\.price)
        return side == .buy ? prices.max() : prices.min()
    }

    mutating func apply(_ action: BookAction) {
        switch action {
        case .place(var order):
            while order.size > 0, let price = best(order.side.opposite),
                order.side == .buy ? price <= order.price : price >= order.price,
                let index = orders.firstIndex(where: { $0.side != order.side && $0.price == price })
            {
                let size = min(order.size, orders[index].size)
                volume += Int(size)
                order.size -= size
                take(size, at: index)
            }
            if order.size > 0 { orders.append(order) }
        case .cancel(let id): orders.removeAll { $0.id == id }
        case .reduce(let id, let size):
            if let index = orders.firstIndex(where: { $0.id == id }) { take(min(size, orders[index].size), at: index) }
        default: break
        }
    }

    private mutating func take(_ size: Int32, at index: Int) {
        orders[index].size -= size
        if orders[index].size == 0 { orders.remove(at: index) }
    }
}
