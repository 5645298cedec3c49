// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Who buys, who sells.
package enum Side: UInt8, BitwiseCopyable, Codable, Sendable {
    case buy, sell

    /// The other side.
    package var opposite: Side { self == .buy ? .sell : .buy }
}

/// Whose order it is. The risk guard watches the position of our own desk.
package enum Account: UInt8, BitwiseCopyable, Codable, Sendable {
    case other, desk
}

/// A limit order.
package struct Order: BitwiseCopyable, Equatable, Sendable {
    /// Unique among the orders of its book.
    package var id: UInt64
    /// In dollars times 10,000, as in LOBSTER's files.
    package var price: Int32
    package var size: Int32
    package var side: Side
    package var account: Account

    package init(id: UInt64, _ side: Side, size: Int32, price: Int32, account: Account = .other) {
        self.id = id
        self.price = price
        self.size = size
        self.side = side
        self.account = account
    }
}

/// What happens to the book of one symbol.
package enum BookAction: BitwiseCopyable, Equatable, Sendable {
    /// A new order. It trades with the orders of the other side that it crosses; the rest waits in the book.
    case place(Order)
    /// An order leaves the book.
    case cancel(id: UInt64)
    /// An order becomes smaller, and keeps its place in the line.
    case reduce(id: UInt64, by: Int32)
    /// Recorded data: an order of the book was executed by an order that the data does not show.
    case executed(id: UInt64, size: Int32)
    /// Recorded data: a hidden order was executed, which never was in the book.
    case executedHidden(size: Int32, price: Int32)
    /// Trading stops, and goes on.
    case halt, resume
    /// The risk guard: the desk's position is over its limit since this event of the book.
    case breached(event: UInt64, position: Int)
    /// The trade watch: this event of the book was a big trade.
    case bigTrade(event: UInt64, size: Int, price: Int32)
}

/// All actions of the example. It is `BitwiseCopyable`, so the journal writes it as it is in memory.
package enum OrderAction: BitwiseCopyable, Equatable, Sendable {
    case book(Symbol, BookAction)
    /// The kill switch: trading stops in all books. Always dispatched as an urgent action.
    case kill(number: Int)
    /// Trading goes on in all books.
    case resume(number: Int)
}

extension OrderAction {
    /// The action for one book, for the lifts to the dictionary of books.
    package var element: ElementIDAction<Symbol, BookAction>? {
        if case .book(let symbol, let action) = self { ElementIDAction(id: symbol, action: action) } else { nil }
    }

    /// The action for every book.
    package var forEachBook: BookAction? {
        switch self {
        case .book: nil
        case .kill: .halt
        case .resume: .resume
        }
    }

    static func ofBook(_ element: ElementIDAction<Symbol, BookAction>) -> OrderAction {
        .book(element.id, element.action)
    }
}
