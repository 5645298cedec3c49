// SPDX-License-Identifier: Apache-2.0

/// An array that also finds its elements by their ids, in constant time.
///
/// ```swift
/// var todos: KeyedArray = [Todo(id: 7, text: "Buy milk")]
/// todos[id: 7]?.text                                  // "Buy milk"
/// if let index = todos.index(id: 7) { todos[index].isDone = true }
/// ```
///
/// Use it in a state whose elements are addressed by `liftToCollection`. It is an array otherwise: ordered, with `Int`
/// indices, and equal to, hashed and coded as its elements in order. An element may get another id in place. Ids should
/// be unique; if two elements have the same, the first in order is found, as in an array.
///
/// **Cost.** Finding, changing and appending: constant. Inserting and removing: linear, as in an array. Eight to
/// sixteen bytes an element more than an array. A copy shares the storage until it is changed; a change in place that
/// leaves the ids alone copies the elements at most, never what finds them.
///
/// It holds up to four billion elements. Where order does not matter a dictionary does as well: see `liftToDictionary`.
public struct KeyedArray<Element: Identifiable> {
    /// The elements in order.
    @usableFromInline var elements: [Element] = []
    /// An open hash table of positions in `elements`, plus one; 0: free. Its size is a power of two, at most half is
    /// used. It holds no ids: those of the elements are compared.
    @usableFromInline var slots: [UInt32] = []
    /// How many elements have an id that another has too, less one for each such id.
    @usableFromInline var duplicates = 0

    /// Without an element.
    @inlinable
    public init() {}

    /// Where the element of an id is; the first in order if there are several, nil if there is none.
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

    /// The element of an id. Setting it replaces the element, or appends one; setting nil removes it.
    ///
    /// To change an element without a copy of it use its index.
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

    /// Removes the element of an id and returns it; nil if there is none.
    /// - Complexity: O(n)
    @discardableResult
    @inlinable
    public mutating func remove(id: Element.ID) -> Element? {
        index(id: id).map { remove(at: $0) }
    }
}

extension KeyedArray: Sendable where Element: Sendable {}

extension KeyedArray: Equatable where Element: Equatable {
    /// Whether both have equal elements in the same order.
    @inlinable
    public static func == (lhs: KeyedArray, rhs: KeyedArray) -> Bool { lhs.elements == rhs.elements }
}

extension KeyedArray: Hashable where Element: Hashable {
    /// Hashes the elements in order.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension KeyedArray: Encodable where Element: Encodable {
    /// Encodes it as an array.
    public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension KeyedArray: Decodable where Element: Decodable {
    /// Decodes an array.
    public init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}

extension KeyedArray: CustomStringConvertible {
    /// As the array of its elements.
    public var description: String { elements.description }
}

extension KeyedArray: CustomReflectable {
    /// Its elements, as of an array: so dumps and diffs show nothing of how it finds them.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: elements, displayStyle: .collection) }
}
