// SPDX-License-Identifier: Apache-2.0

extension Book {
    /// What is wrong with this book; empty if all its rules hold. It looks at every order.
    package var defects: [String] { boxed[0].defects }
}

extension BookContent {
    var defects: [String] {
        var defects: [String] = []
        if let bid = best(.buy), let ask = best(.sell), bid >= ask {
            defects.append("crossed: the best bid is \(bid), the best ask \(ask)")
        }
        let waiting = Side.both.reduce(0) { $0 + waitingShares($1, &defects) }
        let left = totals.cancelledShares + totals.matchedShares + totals.executedShares
        if totals.placedShares != waiting + left {
            defects.append("\(totals.placedShares) shares came, \(waiting) wait, and \(left) have left")
        }
        return defects
    }

    /// The shares of all lines of a side.
    private func waitingShares(_ side: Side, _ defects: inout [String]) -> Int {
        let half = side == .buy ? bids : asks
        var sum = 0
        for (price, level) in half.levels {
            var (size, last, slot) = (0, OrderPool.none, level.first)
            while slot != OrderPool.none {
                let node = pool[slot]
                if node.price != price || node.side != side || node.size <= 0 || node.previous != last {
                    defects.append("order \(node.id) is in the wrong line, \(side) at \(price)")
                    break
                }
                size += Int(node.size)
                (last, slot) = (slot, node.next)
            }
            if level.last != last || level.size != size { defects.append("the line \(side) at \(price) is broken") }
            if let best = half.best, size > 0, side == .buy ? price > best : price < best {
                defects.append("\(price) is better than the best \(side), \(best)")
            }
            sum += size
        }
        return sum
    }
}

extension Side {
    /// Both sides.
    static let both: [Side] = [.buy, .sell]
}
