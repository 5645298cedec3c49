// SPDX-License-Identifier: Apache-2.0

// Linear probing: an element's position is stored in the first slot that was free, starting at the home slot of its id.
extension KeyedArray {
    /// Returns the home slot of an id, at which a search for the id begins. Requires that `slots` is not empty.
    @inlinable
    func home(of id: Element.ID) -> Int { id.hashValue & (slots.count - 1) }

    @inlinable
    func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    /// Enters the position of an element that is already in `elements`, so that a search finds the element.
    @inlinable
    mutating func enter(_ position: Int) {
        if elements.count * 2 > slots.count { return rebuild() }
        place(position)
    }

    @inlinable
    mutating func place(_ position: Int) {
        let id = elements[position].id
        var isDuplicate = false
        var slot = home(of: id)
        while slots[slot] != 0 {
            if elements[Int(slots[slot]) - 1].id == id { isDuplicate = true }
            slot = next(slot)
        }
        slots[slot] = UInt32(position + 1)
        if isDuplicate { duplicates += 1 }
    }

    /// Frees the slot of a position that was entered under an id, and closes the gap.
    @inlinable
    mutating func leave(_ position: Int, id: Element.ID) {
        var gap = home(of: id)
        while slots[gap] != UInt32(position + 1) { gap = next(gap) }
        slots[gap] = 0
        var slot = next(gap)
        while slots[slot] != 0 {
            let home = home(of: elements[Int(slots[slot]) - 1].id)
            // Move the entry into the gap unless its home slot lies after the gap. Both distances are counted
            // backwards.
            if (slot - home) & (slots.count - 1) >= (slot - gap) & (slots.count - 1) {
                slots[gap] = slots[slot]
                slots[slot] = 0
                gap = slot
            }
            slot = next(slot)
        }
        if duplicates > 0, index(id: id) != nil { duplicates -= 1 }
    }

    /// Updates the slots after the element at a position has received another id.
    @inlinable
    mutating func reenter(_ position: Int, formerly id: Element.ID) {
        leave(position, id: id)
        place(position)
    }

    /// Adds a distance to each position that is not less than `position`.
    @inlinable
    mutating func shiftPositions(from position: Int, by distance: Int) {
        for slot in slots.indices where Int(slots[slot]) > position {
            slots[slot] = UInt32(Int(slots[slot]) + distance)
        }
    }

    /// Enters all elements anew, with room for at least `capacity` elements.
    @inlinable
    mutating func rebuild(capacity: Int = 0) {
        precondition(elements.count < UInt32.max, "A KeyedArray holds up to four billion elements")
        var size = 8
        while size < Swift.max(capacity, elements.count) * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        duplicates = 0
        for position in elements.indices { place(position) }
    }
}
