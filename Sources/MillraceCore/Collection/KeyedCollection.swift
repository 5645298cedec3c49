// SPDX-License-Identifier: Apache-2.0

/// A collection that finds the element with an id without examining the other elements.
///
/// `liftToCollection` calls ``index(id:)`` instead of searching, so the cost of an action does not depend on the number
/// of elements. ``KeyedArray`` conforms. A collection of your own, or of another package, needs one function to
/// conform:
///
/// ```swift
/// extension IdentifiedArray: @retroactive KeyedCollection {}      // has index(id:) already
/// ```
public protocol KeyedCollection<ID>: MutableCollection {
    /// The type that identifies an element.
    associatedtype ID: Hashable

    /// Returns the index of the element with an id: the first if there are several, nil if there is none.
    func index(id: ID) -> Index?
}
