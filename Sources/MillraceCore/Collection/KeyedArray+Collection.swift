// SPDX-License-Identifier: Apache-2.0

extension KeyedArray: KeyedCollection, RandomAccessCollection {
    /// The position of the first element: 0.
    @inlinable
    public var startIndex: Int { 0 }

    /// The position after the last element.
    @inlinable
    public var endIndex: Int { elements.count }

    /// The element at an index. You may change it in place, and also give it another id.
    @inlinable
    public subscript(position: Int) -> Element {
        get { elements[position] }
        _modify {
            let id = elements[position].id
            defer { if elements[position].id != id { reenter(position, formerly: id) } }
            yield &elements[position]
        }
    }

    /// Calls a closure with the contiguous storage of the elements.
    /// - Complexity: O(1)
    @inlinable
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<Element>) throws -> Result
    ) rethrows -> Result? {
        try elements.withContiguousStorageIfAvailable(body)
    }
}

extension KeyedArray: RangeReplaceableCollection {
    /// Replaces elements.
    /// - Complexity: O(n), and hashes every id.
    @inlinable
    public mutating func replaceSubrange(_ range: Range<Int>, with newElements: some Collection<Element>) {
        elements.replaceSubrange(range, with: newElements)
        rebuild()
    }

    /// Adds an element at the end.
    /// - Complexity: O(1)
    @inlinable
    public mutating func append(_ element: Element) {
        elements.append(element)
        enter(elements.count - 1)
    }

    /// Adds elements at the end.
    /// - Complexity: O(1) for each element.
    @inlinable
    public mutating func append(contentsOf newElements: some Sequence<Element>) {
        for element in newElements { append(element) }
    }

    /// Inserts an element before the element at an index.
    /// - Complexity: O(n)
    @inlinable
    public mutating func insert(_ element: Element, at index: Int) {
        elements.insert(element, at: index)
        shiftPositions(from: index, by: 1)
        enter(index)
    }

    /// Removes the element at an index.
    /// - Complexity: O(n); O(1) for the last element.
    @discardableResult
    @inlinable
    public mutating func remove(at index: Int) -> Element {
        leave(index, id: elements[index].id)
        if index < elements.count - 1 { shiftPositions(from: index, by: -1) }
        return elements.remove(at: index)
    }

    /// Removes the elements that fulfil a condition.
    /// - Complexity: O(n)
    @inlinable
    public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
        defer { rebuild() }
        try elements.removeAll(where: shouldBeRemoved)
    }

    /// Reserves memory, so that appending moves no element until there are `capacity` elements.
    @inlinable
    public mutating func reserveCapacity(_ capacity: Int) {
        elements.reserveCapacity(capacity)
        if capacity * 2 > slots.count { rebuild(capacity: capacity) }
    }
}

extension KeyedArray: ExpressibleByArrayLiteral {
    /// Creates an array of the elements in order.
    @inlinable
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}
