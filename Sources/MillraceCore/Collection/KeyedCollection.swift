// SPDX-License-Identifier: Apache-2.0

/// A collection that finds the element of an id without looking at the others.
///
/// `liftToCollection` asks it in place of a search, so that an action costs the same whatever the number of elements.
/// ``KeyedArray`` is one. A collection of your own, or of another package, becomes one by a function:
///
/// ```swift
/// extension IdentifiedArray: @retroactive KeyedCollection {}      // has index(id:) already
/// ```
public protocol KeyedCollection<ID>: MutableCollection {
    /// What names an element.
    associatedtype ID: Hashable

    /// Where the element of an id is; the first in order if there are several, nil if there is none.
    func index(id: ID) -> Index?
}
