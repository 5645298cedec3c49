// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Numbers texts in the order of their first appearance: 1, 2, 3 … Each producer has its own, and one thread uses it.
///
/// A hash table with open addressing and linear probing, at most half full. A slot holds 32 bits of the hash and the
/// number. The texts are stored one after the other in blocks of memory that never move.
struct KeyInterner: ~Copyable {
    /// The number of a text, and whether the text is new. The number 0 means that the text is unknown and does not fit.
    typealias Answer = (number: UInt32, isNew: Bool)

    private struct Slot {
        var tag: UInt32
        var number: UInt32
    }

    private struct Entry {
        var start: UnsafePointer<UInt8>
        var count: Int
        var hash: UInt64
    }

    private let hash: KeyHash
    private let budget: KeyBudget
    private var used = KeyBudget.Use()
    private var slots: UnsafeMutablePointer<Slot>
    private var mask: Int
    private var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    private var count = 0
    private var texts = TextArena()

    init(hash: KeyHash, budget: KeyBudget, initialSlots: Int = 1024) {
        self.hash = hash
        self.budget = budget
        mask = initialSlots - 1
        slots = Self.emptySlots(initialSlots)
        capacity = initialSlots / 2
        entries = .allocate(capacity: initialSlots / 2)
    }

    deinit {
        slots.deallocate()
        entries.deallocate()
    }

    /// Returns the number of `text`. `ByteSearch.padding` bytes after the text must be readable.
    @inline(__always)
    mutating func number(of text: UnsafeBufferPointer<UInt8>) -> Answer {
        let hash = hash(text)
        let tag = UInt32(truncatingIfNeeded: hash >> 32)
        var place = Int(truncatingIfNeeded: hash) & mask
        while true {
            let slot = slots[place]
            if slot.number == 0 { return add(text, hash: hash, at: place) }
            if slot.tag == tag {
                let entry = entries[Int(slot.number) - 1]
                if entry.count == text.count, memcmp(entry.start, text.baseAddress!, entry.count) == 0 {
                    return (slot.number, false)
                }
            }
            place = (place + 1) & mask
        }
    }

    private mutating func add(_ text: UnsafeBufferPointer<UInt8>, hash: UInt64, at place: Int) -> Answer {
        guard budget.admits(text.count, after: &used) else { return (0, false) }
        if count == capacity {
            grow()
            fill(hash, number: UInt32(count + 1))
        } else {
            slots[place] = Slot(tag: UInt32(truncatingIfNeeded: hash >> 32), number: UInt32(count + 1))
        }
        (entries + count).initialize(to: Entry(start: texts.keep(text), count: text.count, hash: hash))
        count += 1
        return (UInt32(count), true)
    }

    private mutating func grow() {
        slots.deallocate()
        mask = mask * 2 + 1
        slots = Self.emptySlots(mask + 1)
        for number in 0..<count { fill(entries[number].hash, number: UInt32(number + 1)) }
        capacity *= 2
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        larger.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = larger
    }

    private func fill(_ hash: UInt64, number: UInt32) {
        var place = Int(truncatingIfNeeded: hash) & mask
        while slots[place].number != 0 { place = (place + 1) & mask }
        slots[place] = Slot(tag: UInt32(truncatingIfNeeded: hash >> 32), number: number)
    }

    private static func emptySlots(_ count: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        slots.initialize(repeating: Slot(tag: 0, number: 0), count: count)
        return slots
    }
}
