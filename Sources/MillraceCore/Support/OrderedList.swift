// SPDX-License-Identifier: Apache-2.0

/// Elements in the order in which they were added, each under a number of its own, by which it is taken out again.
///
/// Adding costs constant time, taking out a binary search: where an element was, a gap stays. There are always fewer
/// gaps than elements, so that a list of one element has one entry, and an empty list none; the entries are moved
/// together whenever there would be as many gaps, at a constant cost for each element that was taken out.
@usableFromInline
package struct OrderedList<Element> {
    @usableFromInline
    package struct Entry {
        /// Ascending from entry to entry.
        @usableFromInline let number: UInt
        /// Nil in a gap.
        @usableFromInline package var element: Element?

        @inlinable
        init(number: UInt, element: Element) {
            self.number = number
            self.element = element
        }
    }

    /// The elements in order, and gaps. A copy of it stays as it is, whoever is added or taken out meanwhile.
    @usableFromInline package var entries: [Entry] = []
    @usableFromInline var gaps = 0
    @usableFromInline var next: UInt = 0

    /// Without an element.
    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { entries.isEmpty }

    /// How many elements there are.
    @inlinable
    package var count: Int { entries.count - gaps }

    /// The element if there is exactly one.
    @inlinable
    package var only: Element? { entries.count == 1 ? entries[0].element : nil }

    /// Adds an element at the end, and returns its number.
    @inlinable
    package mutating func append(_ element: Element) -> UInt {
        defer { next += 1 }
        entries.append(Entry(number: next, element: element))
        return next
    }

    /// Takes out the element of a number; nil if it is not there any more.
    @inlinable
    package mutating func remove(_ number: UInt) -> Element? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].number == number, let element = entries[low].element.take() else {
            return nil
        }
        gaps += 1
        if gaps >= count {
            // A copy, so that the room of a long list is given back.
            entries = entries.filter { $0.element != nil }
            gaps = 0
        }
        return element
    }
}
