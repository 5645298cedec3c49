// SPDX-License-Identifier: Apache-2.0

/// The storage of the state getter for one element. A closure that captures only this object is passed on without an
/// allocation.
@usableFromInline
package final class ElementGetter<Key, Element>: @unchecked Sendable {
    // Unchecked: the variables are changed only on the pipeline's thread, before other code has the object, or before
    // the code that keeps it can read the element on another thread.
    @usableFromInline let find: (Key) -> Element?
    @usableFromInline @exclusivity(unchecked) package var key: Key
    /// The element when it was last found; nil while the reducers run, so that they need not copy its containers.
    @usableFromInline @exclusivity(unchecked) package var snapshot: Element?

    @inlinable
    package init(find: @escaping (Key) -> Element?, key: Key, snapshot: Element) {
        self.find = find
        self.key = key
        self.snapshot = snapshot
    }

    /// Finds the element again and keeps it as the snapshot; returns false if it no longer exists.
    @inlinable
    package func refresh() -> Bool {
        guard let element = find(key) else { return false }
        snapshot = element
        return true
    }

    /// Returns the element at the moment of the call; the snapshot if it no longer exists.
    @inlinable
    package func read() -> Element {
        if let element = find(key) ?? snapshot { return element }
        Self.stopReading()
    }

    @usableFromInline
    static func stopReading() -> Never {
        preconditionFailure(
            """
            handle of a middleware gave the getter of an element to another thread, which used it before the IO of the \
            action began, or after the action removed the element: pass the getter on in the IO, or lift the middleware \
            with vanished: .snapshot
            """
        )
    }
}
