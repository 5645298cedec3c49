// SPDX-License-Identifier: Apache-2.0

/// How the element of an id is found in a collection: decided once, at lift time.
///
/// A collection that is known to be keyed where the lift is written needs none of this; one whose type is a generic
/// parameter there is recognised here.
@usableFromInline
package struct ElementSearch<Elements: Collection, ID: Hashable>: @unchecked Sendable {
    // Unchecked because a conformance might be isolated to an actor; a pure function of the state cannot use such a one.
    @usableFromInline typealias Find = (Elements, ID) -> Elements.Index?

    @usableFromInline let find: Find

    /// Compares the ids of the elements, unless the collection is keyed by them.
    @inlinable
    package init(id: @escaping (Elements.Element) -> ID) {
        if let keyed = Elements.self as? any KeyedCollection<ID>.Type, let find = keyed.search as? Find {
            self.find = find
        } else {
            find = { elements, wanted in elements.firstIndex { id($0) == wanted } }
        }
    }

    /// Compares what is found in the elements, whatever the collection is keyed by.
    @inlinable
    static func comparing(_ id: @escaping (Elements.Element) -> ID) -> ElementSearch {
        ElementSearch(find: { elements, wanted in elements.firstIndex { id($0) == wanted } })
    }

    @inlinable
    init(find: @escaping Find) {
        self.find = find
    }

    @inlinable
    package func element(of id: ID, in elements: Elements) -> Elements.Element? {
        find(elements, id).map { elements[$0] }
    }
}

extension KeyedCollection {
    /// The question of the protocol as a function, whose type is known by a cast.
    @usableFromInline
    static var search: Any {
        let search: (Self, ID) -> Index? = { $0.index(id: $1) }
        return search
    }
}
