// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if MILLRACE_PLANTED
    import MillraceCore
#endif

/// Whether an effect is active, completed or cancelled, and its cancel handlers: all in one word.
struct EffectPhase: ~Copyable, Sendable {
    /// A cancel handler, and the address of the handler that was added before it. It owns that handler; 0: there is
    /// none.
    private final class Handler: @unchecked Sendable {
        // Unchecked because `older` is written before any other thread sees the object.
        let body: @Sendable () -> Void
        var older: UInt = 0

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    private static let completed: UInt = 1
    private static let cancelled: UInt = 2

    /// While the effect is active: the address of the handler that was added last, which the word owns, or 0.
    private let word = Atomic<UInt>(0)

    deinit {
        Self.takeApart(word.load(ordering: .acquiring)) { _ in }
    }

    /// Acquiring, pairs with `end`: a thread that sees the end also sees what was done before it.
    var isActive: Bool { Self.isActive(word.load(ordering: .acquiring)) }

    var isCancelled: Bool { word.load(ordering: .acquiring) == Self.cancelled }

    /// Completes the effect and releases its handlers. Returns true if this call ended it.
    func complete() -> Bool {
        guard let handlers = end(Self.completed) else { return false }
        Self.takeApart(handlers) { _ in }
        return true
    }

    /// Cancels the effect and calls its handlers, in the order in which they were added. Returns true if this call
    /// ended it.
    func cancel() -> Bool {
        guard let handlers = end(Self.cancelled) else { return false }
        guard handlers != 0 else { return true }
        var bodies: [@Sendable () -> Void] = []
        Self.takeApart(handlers) { bodies.append($0) }
        for body in bodies.reversed() { body() }
        return true
    }

    /// Calls `body` when the effect is cancelled: at once if it was cancelled before, never if it has completed.
    func onCancel(_ body: @escaping @Sendable () -> Void) {
        let handler = Unmanaged.passRetained(Handler(body))
        var seen = word.load(ordering: .acquiring)
        while Self.isActive(seen) {
            handler.takeUnretainedValue().older = seen
            // Releasing, pairs with `end`: the thread that takes the handler sees its contents.
            let (isDone, now) = word.compareExchange(
                expected: seen,
                desired: UInt(bitPattern: handler.toOpaque()),
                successOrdering: .releasing,
                failureOrdering: .acquiring
            )
            if isDone { return }
            seen = now
        }
        handler.release()
        #if MILLRACE_PLANTED
            if Planted.has(.handlerTooLate) { return }
        #endif
        if seen == Self.cancelled { body() }
    }

    /// Ends the effect. Returns its handlers, which the caller then owns, if this call ended it; otherwise nil.
    private func end(_ last: UInt) -> UInt? {
        var seen = word.load(ordering: .relaxed)
        while Self.isActive(seen) {
            // Acquiring, pairs with `onCancel`: makes the handlers visible. Releasing, pairs with `isActive`.
            let (isDone, now) = word.compareExchange(
                expected: seen,
                desired: last,
                ordering: .acquiringAndReleasing
            )
            if isDone { return seen }
            seen = now
        }
        return nil
    }

    private static func isActive(_ word: UInt) -> Bool { word != completed && word != cancelled }

    /// Releases the handlers one by one: releasing a long chain by recursion would overflow the stack.
    private static func takeApart(_ word: UInt, _ each: (@escaping @Sendable () -> Void) -> Void) {
        var address = isActive(word) ? word : 0
        while let pointer = UnsafeRawPointer(bitPattern: address) {
            let handler = Unmanaged<Handler>.fromOpaque(pointer).takeRetainedValue()
            each(handler.body)
            address = handler.older
        }
    }
}
