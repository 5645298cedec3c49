// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The storage of the state getter for one element. A closure that captures only this object is passed on without an
/// allocation.
///
/// **Invariant.** `current`, `place` and the memory at `place` belong to the thread whose number is in `reader`. That
/// thread took the role (0 to its number, acquiring) and gives it back (releasing). `kept` is written once, by whoever
/// moves `keeping` from none to writing, before kept (releasing, pairs with the acquiring load in `read`). Exclusive:
/// while nobody else holds the object.
@usableFromInline
package final class ElementGetter<Key, Element>: @unchecked Sendable {
    // Unchecked: see the invariant. `key` is changed only while nobody else holds the object.
    @usableFromInline let find: (Key) -> Element?
    @usableFromInline @exclusivity(unchecked) package var key: Key
    /// The element while `afterReduce` or the IO is being called. Nil while the reducers run, so that they change the
    /// element in place.
    @usableFromInline @exclusivity(unchecked) var current: Element?
    /// Where the element is while `handle` is being called, in place of `current`: memory with a lasting address, so
    /// that a reader can lend it. It holds an element as long as this is not nil.
    @usableFromInline @exclusivity(unchecked) var place: UnsafeMutablePointer<Element?>?
    /// The number of the thread that has the element; 0: none. Relaxed: only that thread compares it with success.
    @usableFromInline let reader = Atomic<UInt>(0)
    /// What the getter returns after the element was removed.
    @usableFromInline @exclusivity(unchecked) var kept: Element?
    /// 0: nothing is kept; 1: a thread writes `kept`; 2: `kept` may be read.
    @usableFromInline let keeping = Atomic<UInt8>(0)

    @inlinable
    init(find: @escaping (Key) -> Element?, key: Key) {
        self.find = find
        self.key = key
    }

    @inlinable
    package convenience init(find: @escaping (Key) -> Element?, key: Key, element: Element) {
        self.init(find: find, key: key)
        current = element
        reader.store(CurrentThread.number, ordering: .relaxed)
    }

    /// Begins an action. Only while nobody else holds the object.
    ///
    /// - Parameters:
    ///   - place: Memory for the element until the end of the call; nil: `current`.
    ///   - element: Finds the element.
    /// - Returns: Whether the element exists.
    @inlinable @inline(__always)
    func begin(_ key: Key, at place: UnsafeMutablePointer<Element?>?, _ element: () -> Element?) -> Bool {
        self.key = key
        // Still set if `afterReduce` of the last action was never called.
        if keeping.load(ordering: .relaxed) != 0 { reset() }
        if let place {
            // Not moved afterwards: that would retain it.
            place.pointee = element()
            guard place.pointee != nil else { return false }
            self.place = place
        } else {
            current = element()
            guard current != nil else { return false }
        }
        let thread = CurrentThread.number
        if reader.load(ordering: .relaxed) != thread { reader.store(thread, ordering: .relaxed) }
        return true
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
        if let element = place?.pointee ?? current { keep(element) }
    }

    /// Ends a call of the middleware, which may have kept the getter.
    @inlinable
    package func endCall() {
        guard reader.load(ordering: .relaxed) == CurrentThread.number else { return }
        letGo()
        reader.store(0, ordering: .releasing)
    }

    /// Forgets everything. Only while nobody else holds the object.
    @inlinable
    func reset() {
        letGo()
        guard keeping.load(ordering: .relaxed) != 0 else { return }
        kept = nil
        keeping.store(0, ordering: .relaxed)
    }

    @inlinable @inline(__always)
    func letGo() {
        // The getter has let go before the element is destroyed: a deinit may call the getter.
        if let place {
            self.place = nil
            place.pointee = nil
        } else {
            _ = current.take()
        }
    }

    /// Returns the element at the moment of the call; if it no longer exists, the kept one.
    @inlinable
    package func read() -> Element {
        if reader.load(ordering: .relaxed) == CurrentThread.number, let element = place?.pointee ?? current {
            return element
        }
        if let element = find(key) { return element }
        if keeping.load(ordering: .acquiring) == 2, let kept { return kept }
        Self.stopReading()
    }

    /// Where the element is, if this thread has it and the address lasts for this call of the middleware.
    @inlinable
    var address: UnsafePointer<Element>? {
        guard reader.load(ordering: .relaxed) == CurrentThread.number, let place else { return nil }
        // An optional that is not nil begins with its value.
        return UnsafeRawPointer(place).assumingMemoryBound(to: Element.self)
    }

    /// Calls `body` with the element that `read` returns: in `handle` without a copy. Elsewhere with one, because an IO
    /// that runs inside of `body` changes `current`.
    @inlinable
    func withElement(_ body: (UnsafePointer<Element>) -> Void) {
        if let address { return body(address) }
        withUnsafePointer(to: read(), body)
    }

    /// Lends the element to this thread, unless another thread is running an IO with the same getter.
    @inlinable
    func lend(_ element: Element) {
        let thread = CurrentThread.number
        let (isTaken, before) = reader.compareExchange(expected: 0, desired: thread, ordering: .acquiring)
        if isTaken || before == thread { current = element }
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
