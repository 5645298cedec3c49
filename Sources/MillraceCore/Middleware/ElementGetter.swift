// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The storage of the state getter for one element. A closure that captures only this object is passed on without an
/// allocation.
///
/// **Invariant.** `current` belongs to the thread that calls the middleware, whose number is then in `reader`. `kept` is
/// written at most once, before `isKept` (releasing, pairs with the acquiring load in `read`), until nobody else holds
/// the object.
@usableFromInline
package final class ElementGetter<Key, Element>: @unchecked Sendable {
    // Unchecked: see the invariant. `key` is changed only while nobody else holds the object.
    @usableFromInline let find: (Key) -> Element?
    @usableFromInline @exclusivity(unchecked) package var key: Key
    /// The element while the middleware is being called. Nil while the reducers run, so that they change the element in
    /// place.
    @usableFromInline @exclusivity(unchecked) var current: Element?
    /// The number of the thread that reads `current`; 0: none. Relaxed: only that thread compares it with success.
    @usableFromInline let reader = Atomic<UInt>(0)
    /// What the getter returns after the element was removed.
    @usableFromInline @exclusivity(unchecked) var kept: Element?
    @usableFromInline let isKept = Atomic<Bool>(false)

    @inlinable
    package init(find: @escaping (Key) -> Element?, key: Key, element: Element) {
        self.find = find
        self.key = key
        lend(element)
    }

    /// Begins an action. Only while nobody else holds the object.
    @inlinable
    func begin(_ key: Key, _ element: Element) {
        self.key = key
        // Still set if `afterReduce` of the last action was never called.
        if isKept.load(ordering: .relaxed) { reset() }
        lend(element)
    }

    /// Finds the element again, and keeps it for later readers. Returns false if it no longer exists.
    @inlinable
    package func refresh() -> Bool {
        guard let element = find(key) else { return false }
        keep(element)
        lend(element)
        return true
    }

    /// Keeps the element of `handle`.
    @inlinable
    package func keep() {
        if let current { keep(current) }
    }

    /// Ends a call of the middleware, which may have kept the getter.
    @inlinable
    package func endCall() {
        reader.store(0, ordering: .relaxed)
        current = nil
    }

    /// Forgets everything. Only while nobody else holds the object.
    @inlinable
    func reset() {
        current = nil
        guard isKept.load(ordering: .relaxed) else { return }
        kept = nil
        isKept.store(false, ordering: .relaxed)
    }

    /// Returns the element at the moment of the call; if it no longer exists, the kept one.
    @inlinable
    package func read() -> Element {
        if reader.load(ordering: .relaxed) == CurrentThread.number, let current { return current }
        if let element = find(key) { return element }
        if isKept.load(ordering: .acquiring), let kept { return kept }
        Self.stopReading()
    }

    @inlinable
    func lend(_ element: Element) {
        current = element
        let thread = CurrentThread.number
        if reader.load(ordering: .relaxed) != thread { reader.store(thread, ordering: .relaxed) }
    }

    @inlinable
    func keep(_ element: Element) {
        guard !isKept.load(ordering: .relaxed) else { return }
        kept = element
        isKept.store(true, ordering: .releasing)
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
