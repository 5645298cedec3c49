// SPDX-License-Identifier: Apache-2.0

/// An array that also finds its elements by their ids, in constant time.
///
/// ```swift
/// var todos: KeyedArray = [Todo(id: 7, text: "Buy milk")]
/// todos[id: 7]?.text                                  // "Buy milk"
/// if let index = todos.index(id: 7) { todos[index].isDone = true }
/// ```
///
/// Use it in a state whose elements are addressed by `liftToCollection`. In all other respects it is an array: it is
/// ordered, has `Int` indices, and is compared, hashed and coded as its elements in order. You may change the id of an
/// element in place. Ids should be unique. If two elements have the same id, the first one is found, as in an array.
///
/// **Cost.** Finding, changing and appending take constant time. Inserting and removing take linear time, as in an
/// array. It needs eight to sixteen bytes per element more than an array. A copy shares the storage until one of the
/// two is changed. A change in place that keeps the ids copies at most the elements, never the hash table.
///
/// It holds up to four billion elements. If order does not matter, a dictionary is as good: see `liftToDictionary`.
public struct KeyedArray<Element: Identifiable> {
    /// The elements in order.
    @usableFromInline var elements: [Element] = []
    /// An open hash table of positions in `elements`, each plus one; 0 is a free slot. Its size is a power of two, and
    /// at most half of it is used. It holds no ids: a search compares the ids of the elements.
    @usableFromInline var slots: [UInt32] = []
    /// The number of elements that share their id with another element, minus the number of such ids.
    @usableFromInline var duplicates = 0

    /// Creates an empty array.
    @inlinable
    public init() {}

    /// Returns the index of the element with an id: the first if there are several, nil if there is none.
    /// - Complexity: O(1)
    @inlinable
    public func index(id: Element.ID) -> Int? {
        guard !slots.isEmpty else { return nil }
        var first: Int?
        var slot = home(of: id)
        while slots[slot] != 0 {
            let position = Int(slots[slot]) - 1
            if elements[position].id == id {
                if duplicates == 0 { return position }
                first = Swift.min(first ?? position, position)
            }
            slot = next(slot)
        }
        return first
    }

    /// The element with an id. Setting it replaces the element or appends the new one; setting nil removes the element.
    ///
    /// To change an element without copying it, use its index.
    /// - Complexity: O(1), and O(n) to remove.
    @inlinable
    public subscript(id id: Element.ID) -> Element? {
        get { index(id: id).map { elements[$0] } }
        set {
            switch (index(id: id), newValue) {
            case (let index?, let element?): self[index] = element
            case (let index?, nil): remove(at: index)
            case (nil, let element?): append(element)
            case (nil, nil): break
            }
        }
    }

    /// Removes and returns the element with an id; returns nil if there is none.
    /// - Complexity: O(n)
    @discardableResult
    @inlinable
    public mutating func remove(id: Element.ID) -> Element? {
        index(id: id).map { remove(at: $0) }
    }
}

extension KeyedArray: Sendable where Element: Sendable {}

extension KeyedArray: Equatable where Element: Equatable {
    /// Whether both arrays have equal elements in the same order.
    @inlinable
    public static func == (lhs: KeyedArray, rhs: KeyedArray) -> Bool { lhs.elements == rhs.elements }
}

extension KeyedArray: Hashable where Element: Hashable {
    /// Hashes the elements in order.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension KeyedArray: Encodable where Element: Encodable {
    /// Encodes the elements as an array.
    public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension KeyedArray: Decodable where Element: Decodable {
    /// Decodes an array of elements.
    public init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}

extension KeyedArray: CustomStringConvertible {
    /// The description of the array of elements.
    public var description: String { elements.description }
}

extension KeyedArray: CustomReflectable {
    /// A mirror of the elements as in an array, so that dumps and diffs do not show the hash table.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: elements, displayStyle: .collection) }
}
