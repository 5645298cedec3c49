// SPDX-License-Identifier: Apache-2.0

/// The element of the action that a lifted middleware handles now, for the ``StateReader`` of that middleware.
@usableFromInline
final class ElementScope<Key, Element>: @unchecked Sendable {
    // Unchecked: only the thread that calls the middleware uses it: in a store the pipeline's.
    /// Not retained: the caller of `within` holds the getter, and must be able to see that nobody else does.
    @usableFromInline @exclusivity(unchecked) var current: Unmanaged<ElementGetter<Key, Element>>?

    @inlinable
    init() {}

    /// Runs `body` while the element of this getter is the current one.
    @inlinable @inline(__always)
    func within<Result>(_ getter: ElementGetter<Key, Element>, _ body: () -> Result) -> Result {
        let outer = current
        current = .passUnretained(getter)
        defer { current = outer }
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
        guard let current else { Self.stopReading() }
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
