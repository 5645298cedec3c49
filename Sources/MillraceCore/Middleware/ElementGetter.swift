// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The storage of the state getter for one element. A closure that captures only this object is passed on without an
/// allocation.
///
/// **Invariant.** `current` belongs to the thread whose number is in `reader`. That thread took the role (0 to its number,
/// acquiring) and gives it back (releasing). `kept` is written once, by whoever moves `keeping` from none to writing,
/// before kept (releasing, pairs with the acquiring load in `read`). Exclusive: while nobody else holds the object.
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
    /// 0: nothing is kept; 1: a thread writes `kept`; 2: `kept` may be read.
    @usableFromInline let keeping = Atomic<UInt8>(0)

    @inlinable
    package init(find: @escaping (Key) -> Element?, key: Key, element: Element) {
        self.find = find
        self.key = key
        lendExclusively(element)
    }

    /// Begins an action. Only while nobody else holds the object.
    @inlinable
    func begin(_ key: Key, _ element: Element) {
        self.key = key
        // Still set if `afterReduce` of the last action was never called.
        if keeping.load(ordering: .relaxed) != 0 { reset() }
        lendExclusively(element)
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
        guard reader.load(ordering: .relaxed) == CurrentThread.number else { return }
        current = nil
        reader.store(0, ordering: .releasing)
    }

    /// Forgets everything. Only while nobody else holds the object.
    @inlinable
    func reset() {
        current = nil
        guard keeping.load(ordering: .relaxed) != 0 else { return }
        kept = nil
        keeping.store(0, ordering: .relaxed)
    }

    /// Returns the element at the moment of the call; if it no longer exists, the kept one.
    @inlinable
    package func read() -> Element {
        if reader.load(ordering: .relaxed) == CurrentThread.number, let current { return current }
        if let element = find(key) { return element }
        if keeping.load(ordering: .acquiring) == 2, let kept { return kept }
        Self.stopReading()
    }

    /// Lends the element to this thread, unless another thread is running an IO with the same getter.
    @inlinable
    func lend(_ element: Element) {
        let thread = CurrentThread.number
        let (isTaken, before) = reader.compareExchange(expected: 0, desired: thread, ordering: .acquiring)
        if isTaken || before == thread { current = element }
    }

    /// The same, while nobody else holds the object.
    @inlinable
    func lendExclusively(_ element: Element) {
        current = element
        let thread = CurrentThread.number
        if reader.load(ordering: .relaxed) != thread { reader.store(thread, ordering: .relaxed) }
    }

    @inlinable
    func keep(_ element: Element) {
        guard keeping.load(ordering: .relaxed) == 0 else { return }
        guard keeping.compareExchange(expected: 0, desired: 1, ordering: .relaxed).exchanged else { return }
        kept = element
        keeping.store(2, ordering: .releasing)
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
