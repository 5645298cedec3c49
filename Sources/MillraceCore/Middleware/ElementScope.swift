// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The element of the action that a lifted middleware handles now, for the ``StateReader`` of that middleware.
///
/// **Invariant.** `handled` is written only by the thread that runs the pipeline, and `inIO` only by the thread whose
/// number is in `ioThread`. A thread reads one of them only if it finds its own number beside it. Neither getter is
/// retained: the caller holds it, and must be able to see that nobody else does.
@usableFromInline
final class ElementScope<Key, Element>: @unchecked Sendable {
    // Unchecked: see the invariant.
    @usableFromInline typealias Getter = ElementGetter<Key, Element>

    /// The element of `handle` and `afterReduce`.
    @usableFromInline @exclusivity(unchecked) var handled: Unmanaged<Getter>?
    /// The thread inside `handling`; 0: none. Relaxed: one thread at a time runs the pipeline, and only that thread
    /// finds its own number.
    @usableFromInline let handlingThread = Atomic<UInt>(0)
    /// The element of an IO, which any thread may run.
    @usableFromInline @exclusivity(unchecked) var inIO: Unmanaged<Getter>?
    /// The thread inside `running`; 0: none. Taken with acquiring and given back with releasing, for `inIO`.
    @usableFromInline let ioThread = Atomic<UInt>(0)

    @inlinable
    init() {}

    /// Runs `handle` or `afterReduce` while the element of this getter is the current one.
    @inlinable @inline(__always)
    func handling<Result>(_ getter: Getter, _ body: () -> Result) -> Result {
        let (outer, thread) = (handled, handlingThread.load(ordering: .relaxed))
        handled = .passUnretained(getter)
        handlingThread.store(CurrentThread.number, ordering: .relaxed)
        defer {
            handlingThread.store(thread, ordering: .relaxed)
            handled = outer
        }
        return body()
    }

    /// Runs an IO while the element of this getter is the current one. If another thread is inside, because it runs an
    /// IO of the same lift, the reader stops on this one.
    @inlinable @inline(__always)
    func running<Result>(_ getter: Getter, _ body: () -> Result) -> Result {
        let thread = CurrentThread.number
        // A wrapper runs an IO that it has held inside of `handle` or `afterReduce`.
        if handlingThread.load(ordering: .relaxed) == thread { return handling(getter, body) }
        let (isTaken, before) = ioThread.compareExchange(expected: 0, desired: thread, ordering: .acquiring)
        guard isTaken || before == thread else { return body() }
        let outer = inIO
        inIO = .passUnretained(getter)
        defer {
            inIO = outer
            if isTaken { ioThread.store(0, ordering: .releasing) }
        }
        return body()
    }

    /// Finds the current element.
    @inlinable
    var source: StateSource<Element> {
        StateSource(
            read: { self.getter._withUnsafeGuaranteedRef { $0.read() } },
            visit: { body in self.getter._withUnsafeGuaranteedRef { $0.withElement(body) } },
            address: { self.getter._withUnsafeGuaranteedRef { $0.address } },
            isFixed: false
        )
    }

    /// The getter of the current element.
    @inlinable
    var getter: Unmanaged<Getter> {
        let thread = CurrentThread.number
        if handlingThread.load(ordering: .relaxed) == thread, let handled { return handled }
        if ioThread.load(ordering: .relaxed) == thread, let inIO { return inIO }
        Self.stopReading()
    }

    @usableFromInline
    static func stopReading() -> Never {
        preconditionFailure(
            """
            the StateReader of a middleware lifted to an element was used while the middleware handled no action on this \
            thread, or while another thread ran an IO of the same middleware: use it only in handle, afterReduce and the \
            IO of an action, and IOs on one thread at a time; elsewhere use the getter that handle received
            """
        )
    }
}
