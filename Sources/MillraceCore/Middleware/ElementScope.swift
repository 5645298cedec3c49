// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The element of the action that a lifted middleware handles now, for the ``StateReader`` of that middleware.
@usableFromInline
final class ElementScope<Key, Element>: @unchecked Sendable {
    // Unchecked: `current` belongs to the thread whose number is in `owner`.
    /// Not retained: the caller of `within` holds the getter, and must be able to see that nobody else does.
    @usableFromInline @exclusivity(unchecked) var current: Unmanaged<ElementGetter<Key, Element>>?
    /// The thread inside `within`; 0: none. Taken with acquiring and given back with releasing, for `current`.
    @usableFromInline let owner = Atomic<UInt>(0)

    @inlinable
    init() {}

    /// Runs `body` while the element of this getter is the current one. If another thread is inside, as when an IO runs
    /// on two threads, the reader stops on this one.
    @inlinable @inline(__always)
    func within<Result>(_ getter: ElementGetter<Key, Element>, _ body: () -> Result) -> Result {
        let thread = CurrentThread.number
        let (isTaken, before) = owner.compareExchange(expected: 0, desired: thread, ordering: .acquiring)
        guard isTaken || before == thread else { return body() }
        let outer = current
        current = .passUnretained(getter)
        defer {
            current = outer
            if isTaken { owner.store(0, ordering: .releasing) }
        }
        return body()
    }

    /// Finds the current element.
    @inlinable
    var source: StateSource<Element> {
        StateSource(
            read: { self.read() },
            visit: { body in withUnsafePointer(to: self.read(), body) },
            isFixed: false
        )
    }

    @inlinable
    func read() -> Element {
        // Relaxed: only the owner finds its own number.
        guard owner.load(ordering: .relaxed) == CurrentThread.number, let current else { Self.stopReading() }
        return current._withUnsafeGuaranteedRef { $0.read() }
    }

    @usableFromInline
    static func stopReading() -> Never {
        preconditionFailure(
            """
            the StateReader of a middleware lifted to an element was used while the middleware handled no action: use it \
            only in handle, afterReduce and the IO of an action; elsewhere use the getter that handle received
            """
        )
    }
}
