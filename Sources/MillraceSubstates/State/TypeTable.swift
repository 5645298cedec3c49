// SPDX-License-Identifier: Apache-2.0

/// Values by type: a hash table whose hash is one multiplication.
@usableFromInline
struct TypeTable<Value> {
    @usableFromInline typealias Slot = (type: ObjectIdentifier?, value: Value?)

    /// The number of slots is a power of two, and at most half of them hold a value. An empty table has none.
    @usableFromInline var slots: [Slot] = []
    @usableFromInline var count = 0

    @inlinable
    init() {}

    /// The value of a type; nil if there is none.
    @inlinable
    subscript(type: ObjectIdentifier) -> Value? {
        if slots.isEmpty { return nil }
        return slots[slot(of: type)].value
    }

    /// Sets the value of a type.
    mutating func set(_ value: Value, for type: ObjectIdentifier) {
        if (count + 1) * 2 > slots.count { grow() }
        let slot = slot(of: type)
        if slots[slot].type == nil { count += 1 }
        slots[slot] = (type, value)
    }

    /// The values with their types, in no order.
    var all: [(type: ObjectIdentifier, value: Value)] {
        slots.compactMap { slot in
            guard let type = slot.type, let value = slot.value else { return nil }
            return (type, value)
        }
    }

    /// The index of the slot that holds a type, or of the free slot for it. The table must not be empty.
    @inlinable
    func slot(of type: ObjectIdentifier) -> Int {
        let mask = slots.count - 1
        // The upper bits of the product depend on all bits of the address.
        let hash = UInt64(UInt(bitPattern: type)) &* 0x9E37_79B9_7F4A_7C15
        var slot = Int(truncatingIfNeeded: hash >> 32) & mask
        while let found = slots[slot].type, found != type { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = all
        slots = Array(repeating: (nil, nil), count: max(8, slots.count * 2))
        count = 0
        for (type, value) in old { set(value, for: type) }
    }
}

extension TypeTable: Sendable where Value: Sendable {}
