// SPDX-License-Identifier: Apache-2.0

/// Makes the orders of one symbol: the same for the same seed, so that a gateway can begin again at any number.
package struct Gateway: Sequence, IteratorProtocol, Sendable {
    private let symbol: Symbol
    private var random: SplitMix
    private var middle: Int32
    /// The last orders; each is cancelled before its place is used again. So the book does not grow without end.
    private var recent: [UInt64]
    private var placed: UInt64 = 0

    private static let tick: Int32 = 100

    package init(_ symbol: Symbol, seed: UInt64, depth: Int = 1_024) {
        self.symbol = symbol
        random = SplitMix(state: seed &* 0x9E37_79B9_7F4A_7C15 ^ symbol.code)
        middle = Self.tick * (1_000 + Int32(random.below(9_000)))
        recent = Array(repeating: 0, count: Swift.max(1, depth))
    }

    package mutating func next() -> OrderAction? { .book(symbol, nextOfBook()) }

    /// Passes over actions that were dispatched before.
    package mutating func skip(_ count: UInt64) {
        for _ in 0..<count { _ = nextOfBook() }
    }

    private mutating func nextOfBook() -> BookAction {
        let place = Int(placed % UInt64(recent.count))
        let old = recent[place]
        if old != 0 {
            recent[place] = 0
            return .cancel(id: old)
        }
        if placed > 10, random.below(16) == 0 {
            return .reduce(id: placed - random.below(10), by: Int32(1 + random.below(3)) * 100)
        }
        placed += 1
        recent[place] = placed
        return .place(order(id: placed))
    }

    private mutating func order(id: UInt64) -> Order {
        if random.below(16) == 0 {
            middle += random.below(2) == 0 ? Self.tick : -Self.tick
            middle = Swift.min(Swift.max(middle, 100 * Self.tick), 1_000_000)
        }
        let isDesk = random.below(8) == 0
        // The desk buys more than it sells, so its position grows over the limit some time.
        let side: Side = random.below(8) < (isDesk ? 5 : 4) ? .buy : .sell
        let size = random.below(500) == 0 ? 10_000 : Int32(1 + random.below(10)) * 100
        // One order in four crosses the middle, the others wait below or above it.
        let distance =
            random.below(4) == 0 ? Int32(random.below(8)) * Self.tick : -Int32(1 + random.below(20)) * Self.tick
        let price = middle + (side == .buy ? distance : -distance)
        return Order(id: id, side, size: size, price: price, account: isDesk ? .desk : .other)
    }
}

/// A generator of random numbers with one word of state.
struct SplitMix: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which is small.
    mutating func below(_ limit: UInt64) -> UInt64 { ((next() >> 32) &* limit) >> 32 }
}
