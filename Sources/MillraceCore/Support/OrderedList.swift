// SPDX-License-Identifier: Apache-2.0

/// Elements in the order in which they were added. Each has a number, by which it is removed.
///
/// Adding takes constant time. Removing takes a binary search and leaves a gap. There are always fewer gaps than
/// elements: a list of one element has one entry, and an empty list has none. When there would be as many gaps as
/// elements, the gaps are removed, at a constant cost per removed element.
@usableFromInline
package struct OrderedList<Element> {
    @usableFromInline
    package struct Entry {
        /// Ascends from entry to entry.
        @usableFromInline let number: UInt
        /// Nil for a gap.
        @usableFromInline package var element: Element?

        @inlinable
        init(number: UInt, element: Element) {
            self.number = number
            self.element = element
        }
    }

    /// The elements in order, with gaps. A copy of this array does not change when elements are added or removed.
    @usableFromInline package var entries: [Entry] = []
    @usableFromInline var gaps = 0
    @usableFromInline var next: UInt = 0

    /// Creates an empty list.
    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { entries.isEmpty }

    /// The number of elements.
    @inlinable
    package var count: Int { entries.count - gaps }

    /// The element, if there is exactly one.
    @inlinable
    package var only: Element? { entries.count == 1 ? entries[0].element : nil }

    /// Adds an element at the end and returns its number.
    @inlinable
    package mutating func append(_ element: Element) -> UInt {
        defer { next += 1 }
        entries.append(Entry(number: next, element: element))
        return next
    }

    /// Removes the element with a number and returns it; returns nil if it is no longer there.
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
            // A copy, so that the memory of a long list is released.
            entries = entries.filter { $0.element != nil }
            gaps = 0
        }
        return element
    }
}
