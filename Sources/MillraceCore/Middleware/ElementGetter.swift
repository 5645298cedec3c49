// SPDX-License-Identifier: Apache-2.0

/// The storage of a state getter for one element; see ``BoundGetter`` for why it is an object.
@usableFromInline
final class ElementGetter<Key, Element>: @unchecked Sendable {
    // Unchecked: the variables are changed only on the pipeline's thread, while no other code has the object.
    @usableFromInline let find: (Key) -> Element?
    @usableFromInline @exclusivity(unchecked) var key: Key
    /// The element before the reducers; nil while no getter is in use.
    @usableFromInline @exclusivity(unchecked) var snapshot: Element?

    @inlinable
    init(find: @escaping (Key) -> Element?, key: Key, snapshot: Element) {
        self.find = find
        self.key = key
        self.snapshot = snapshot
    }

    /// Returns the element at the moment of the call; the element before the reducers if it no longer exists.
    @inlinable
    func read() -> Element {
        if let element = find(key) ?? snapshot { return element }
        preconditionFailure("A state getter was called that nobody has")
    }
}
