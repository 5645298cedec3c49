// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The state: a book for each symbol.
package struct Market: Codable, Equatable, Sendable {
    package internal(set) var books: [Symbol: Book]
    /// Whether the kill switch has stopped all trading.
    package internal(set) var isHalted = false
    /// How often it has.
    package internal(set) var kills = 0
    /// How many symbols were breached when it did so last.
    package internal(set) var breachesAtKill = 0

    package init(_ symbols: [Symbol], limits: Book.Limits = Book.Limits()) {
        books = Dictionary(symbols.map { ($0, Book(limits: limits)) }) { first, _ in first }
    }

    /// How many symbols the guard has reported.
    package var breachedSymbols: Int { books.values.count { $0.desk.isBreached } }

    /// The reducer: that of a book, for one book and for all, and that of the rest.
    package static var reducer: Reducer<OrderAction, Market> {
        Book.reducer.liftToDictionary(action: { $0.element }, stateDictionary: \.books)
            <> Book.reducer.liftToEach(action: { $0.forEachBook }, stateDictionary: \.books)
            <> .reduce { action, market in
                switch action {
                case .book: break
                case .kill:
                    market.isHalted = true
                    market.kills += 1
                    market.breachesAtKill = market.breachedSymbols
                case .resume: market.isHalted = false
                }
            }
    }

    /// The stop that the kill switch owes: so many symbols are breached, and more than at the last stop. It follows from the
    /// state alone, so a stop that was lost in a crash is made after the recovery, and a resume is not undone by it.
    package func dueKill(atBreaches breaches: Int) -> OrderAction? {
        let breached = breachedSymbols
        guard !isHalted, breached >= breaches, breached > breachesAtKill else { return nil }
        return .kill(number: kills + 1)
    }

    /// The reports that the guard and the trade watch owe. Reports that were lost in a crash are among them.
    package var dueReports: [OrderAction] {
        books.flatMap { symbol, book in
            [book.dueBreach, book.dueBigTrade].compactMap { $0 }.map { .book(symbol, $0) }
        }
    }
}
