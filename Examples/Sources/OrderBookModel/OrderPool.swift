// SPDX-License-Identifier: Apache-2.0

/// The orders of a book in one array. Those of a price are linked, so that a cancel in the middle of the line costs the same
/// as one at its end.
struct OrderPool: Codable, Equatable, Sendable {
    /// An order in the book, and its neighbours in the line of its price.
    struct Node: Codable, Equatable, Sendable {
        var id: UInt64
        var price: Int32
        var size: Int32
        var previous = OrderPool.none
        var next = OrderPool.none
        var side: Side
        var account: Account
    }

    static let none: Int32 = -1

    private(set) var nodes: [Node] = []
    private var slots: [UInt64: Int32] = [:]
    /// The first free slot; each free slot names the next one.
    private var free = OrderPool.none

    var count: Int { slots.count }

    func slot(of id: UInt64) -> Int32? { slots[id] }

    subscript(_ slot: Int32) -> Node {
        get { nodes[Int(slot)] }
        _modify { yield &nodes[Int(slot)] }
    }

    mutating func insert(_ order: Order) -> Int32 {
        let node = Node(
            id: order.id,
            price: order.price,
            size: order.size,
            side: order.side,
            account: order.account
        )
        let slot: Int32
        if free == Self.none {
            slot = Int32(nodes.count)
            nodes.append(node)
        } else {
            slot = free
            free = self[slot].next
            self[slot] = node
        }
        slots[order.id] = slot
        return slot
    }

    mutating func remove(_ slot: Int32) {
        slots[self[slot].id] = nil
        self[slot].size = 0
        self[slot].next = free
        free = slot
    }
}
