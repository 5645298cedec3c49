// SPDX-License-Identifier: Apache-2.0

/// What a book holds.
struct BookContent: Codable, Equatable, Sendable {
    let limits: Book.Limits
    var totals = Book.Totals()
    var desk = Book.Desk()
    var isHalted = false
    var lastFill = Book.Fill()
    var reportedTrade: UInt64 = 0
    var bids = BookSide(.buy)
    var asks = BookSide(.sell)
    var pool = OrderPool()

    init(limits: Book.Limits) {
        self.limits = limits
    }

    func best(_ side: Side) -> Int32? { side == .buy ? bids.best : asks.best }

    var isOverLimit: Bool { abs(desk.position) > limits.position }
}
