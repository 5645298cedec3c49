// SPDX-License-Identifier: Apache-2.0

/// What a state getter of one element stands for; see ``BoundGetter`` for why it is an object.
@usableFromInline
final class ElementGetter<Key, Element>: @unchecked Sendable {
    // Unchecked: the variables are changed on the pipeline's thread, and only while nobody else has the object.
    @usableFromInline let find: (Key) -> Element?
    @usableFromInline @exclusivity(unchecked) var key: Key
    /// As it was before the reducers; nil while no getter is out.
    @usableFromInline @exclusivity(unchecked) var snapshot: Element?

    @inlinable
    init(find: @escaping (Key) -> Element?, key: Key, snapshot: Element) {
        self.find = find
        self.key = key
        self.snapshot = snapshot
    }

    /// The element as it is, or as it was if it is no longer there.
    @inlinable
    func read() -> Element {
        if let element = find(key) ?? snapshot { return element }
        preconditionFailure("A state getter was called that nobody has")
    }
}
