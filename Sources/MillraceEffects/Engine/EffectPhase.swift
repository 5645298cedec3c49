// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether an effect goes on, has completed or was cancelled, and what is to be called when it is cancelled: one word.
struct EffectPhase: ~Copyable, Sendable {
    /// What is to be called; the address of the one that came before, which it owns, or 0.
    private final class Handler: @unchecked Sendable {
        // Unchecked because `older` is written before anybody else sees the object.
        let body: @Sendable () -> Void
        var older: UInt = 0

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    private static let completed: UInt = 1
    private static let cancelled: UInt = 2

    /// While it goes on, the address of the handler that came last, which the word owns, or 0.
    private let word = Atomic<UInt>(0)

    deinit {
        Self.takeApart(word.load(ordering: .acquiring)) { _ in }
    }

    /// Acquiring, pairs with `end`: who sees the end also sees what came before it.
    var isActive: Bool { Self.isActive(word.load(ordering: .acquiring)) }

    var isCancelled: Bool { word.load(ordering: .acquiring) == Self.cancelled }

    /// True for the one who ends it. Its handlers are let go.
    func complete() -> Bool {
        guard let handlers = end(Self.completed) else { return false }
        Self.takeApart(handlers) { _ in }
        return true
    }

    /// True for the one who ends it. Its handlers are called, in the order in which they came.
    func cancel() -> Bool {
        guard let handlers = end(Self.cancelled) else { return false }
        guard handlers != 0 else { return true }
        var bodies: [@Sendable () -> Void] = []
        Self.takeApart(handlers) { bodies.append($0) }
        for body in bodies.reversed() { body() }
        return true
    }

    /// Calls a handler when it is cancelled, at once if it was; never if it completed.
    func onCancel(_ body: @escaping @Sendable () -> Void) {
        let handler = Unmanaged.passRetained(Handler(body))
        var seen = word.load(ordering: .acquiring)
        while Self.isActive(seen) {
            handler.takeUnretainedValue().older = seen
            // Releasing, pairs with `end`: who takes the handler sees what is in it.
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
        if seen == Self.cancelled { body() }
    }

    /// The handlers, owned by the caller, who is the one who ended it; nil for all others.
    private func end(_ last: UInt) -> UInt? {
        var seen = word.load(ordering: .relaxed)
        while Self.isActive(seen) {
            // Acquiring: the handlers. Releasing, pairs with `isActive`.
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

    /// One after the other, as there may be so many that releasing them by recursion would fill the stack.
    private static func takeApart(_ word: UInt, _ each: (@escaping @Sendable () -> Void) -> Void) {
        var address = isActive(word) ? word : 0
        while let pointer = UnsafeRawPointer(bitPattern: address) {
            let handler = Unmanaged<Handler>.fromOpaque(pointer).takeRetainedValue()
            each(handler.body)
            address = handler.older
        }
    }
}
