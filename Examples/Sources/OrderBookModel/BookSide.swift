// SPDX-License-Identifier: Apache-2.0

/// All bids or all asks of a book: a line of orders for each price, first come, first served.
///
/// The prices are in a binary heap, the best one at its top. A price whose last order has left stays in the heap until it
/// comes to the top: so a change costs the logarithm of the number of prices at most, and the best price is always known.
struct BookSide: Codable, Equatable, Sendable {
    /// The line of one price.
    struct Level: Codable, Equatable, Sendable {
        var first = OrderPool.none
        var last = OrderPool.none
        var size = 0
    }

    private(set) var levels: [Int32: Level] = [:]
    private var heap: [Int32] = []
    /// 1 if a low price is better, as for asks; -1 for bids.
    private let sign: Int32

    init(_ side: Side) {
        sign = side == .buy ? -1 : 1
    }

    /// The best price; nil if there is no order.
    var best: Int32? { heap.first.map { $0 * sign } }

    /// How many shares wait at the best price.
    var bestSize: Int { best.flatMap { levels[$0]?.size } ?? 0 }

    /// The order that is next to trade; nil if there is none.
    var first: Int32? { best.flatMap { levels[$0]?.first } }

    /// Puts an order at the end of the line of its price.
    mutating func append(_ slot: Int32, in pool: inout OrderPool) {
        let (price, size) = (pool[slot].price, Int(pool[slot].size))
        if levels[price] == nil { push(price * sign) }
        let last = levels[price, default: Level()].join(slot, size: size)
        pool[slot].previous = last
        if last != OrderPool.none { pool[last].next = slot }
    }

    /// Takes shares from an order; it leaves the line if none are left. Returns whether it has left.
    mutating func take(_ size: Int32, from slot: Int32, in pool: inout OrderPool) -> Bool {
        let node = pool[slot]
        levels[node.price]?.size -= Int(size)
        pool[slot].size -= size
        guard node.size == size else { return false }
        if node.previous == OrderPool.none {
            levels[node.price]?.first = node.next
        } else {
            pool[node.previous].next = node.next
        }
        if node.next == OrderPool.none {
            levels[node.price]?.last = node.previous
        } else {
            pool[node.next].previous = node.previous
        }
        pool.remove(slot)
        removeEmptyPrices()
        return true
    }

    /// The prices at the top of the heap that have no order any more.
    private mutating func removeEmptyPrices() {
        while let best, levels[best]?.first == OrderPool.none {
            levels[best] = nil
            pop()
        }
    }

    private mutating func push(_ key: Int32) {
        var child = heap.count
        heap.append(key)
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}

extension BookSide.Level {
    /// Makes an order the last one. Returns the one that was last.
    fileprivate mutating func join(_ slot: Int32, size: Int) -> Int32 {
        let before = last
        if first == OrderPool.none { first = slot }
        last = slot
        self.size += size
        return before
    }
}
