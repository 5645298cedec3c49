// SPDX-License-Identifier: Apache-2.0

/// The function that finds the element with an id in a collection; chosen once, when the lift is made.
///
/// A lift that knows that its collection is keyed does not need this type. If the type of the collection is a generic
/// parameter there, this type detects a keyed collection at run time.
@usableFromInline
package struct ElementSearch<Elements: Collection, ID: Hashable>: @unchecked Sendable {
    // Unchecked because a conformance in `find` might be isolated to an actor. A pure function of the state cannot use
    // such a conformance.
    @usableFromInline typealias Find = (Elements, ID) -> Elements.Index?

    @usableFromInline let find: Find

    /// Uses `index(id:)` if the collection is keyed by these ids; otherwise compares the ids of the elements.
    @inlinable
    package init(id: @escaping (Elements.Element) -> ID) {
        if let keyed = Elements.self as? any KeyedCollection<ID>.Type, let find = keyed.search as? Find {
            self.find = find
        } else {
            find = { elements, wanted in elements.firstIndex { id($0) == wanted } }
        }
    }

    /// The same for the ids of identifiable elements. The search in a ``KeyedArray`` is specialised, without a call
    /// through its conformance.
    @inlinable
    init() where Elements.Element: Identifiable, ID == Elements.Element.ID {
        guard Elements.self == KeyedArray<Elements.Element>.self else {
            self.init { $0.id }
            return
        }
        self.init(find: { elements, id in
            // In place, because a cast would copy it.
            let index = withUnsafePointer(to: elements) { elements in
                Borrowed.at(UnsafeRawPointer(elements).assumingMemoryBound(to: KeyedArray<Elements.Element>.self)) {
                    $0.index(id: id)
                }
            }
            return index.map { unsafeBitCast($0, to: Elements.Index.self) }
        })
    }

    /// Always compares the values that `id` returns, even if the collection is keyed.
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
    /// `index(id:)` as a value of unknown type; the caller casts it to the function type.
    @usableFromInline
    static var search: Any {
        let search: (Self, ID) -> Index? = { $0.index(id: $1) }
        return search
    }
}
