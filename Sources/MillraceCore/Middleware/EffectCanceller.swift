// SPDX-License-Identifier: Apache-2.0

/// Cancels what a middleware has under way, without knowing how: for who switches a middleware off.
///
/// ```swift
/// final class Polling: MiddlewareProtocol {
///     let tasks = TaskBag()
///     var effectCanceller: EffectCanceller { EffectCanceller { [weak tasks] in tasks?.cancelAll() } }
/// }
/// ```
///
/// It must not keep its middleware: whoever holds it may live longer.
///
/// **Threads.** Any thread may call ``cancelAll()``, any number of times, also at once.
public struct EffectCanceller: Monoid, Sendable {
    @usableFromInline let cancels: [@Sendable () -> Void]

    @inlinable
    init(cancels: [@Sendable () -> Void]) {
        self.cancels = cancels
    }

    /// Cancels by a closure that does not keep the middleware.
    @inlinable
    public init(_ cancelAll: @escaping @Sendable () -> Void) {
        self.init(cancels: [cancelAll])
    }

    /// Of a middleware that never has anything under way.
    @inlinable
    public static var identity: EffectCanceller { EffectCanceller(cancels: []) }

    /// Whether there is never anything to cancel.
    @inlinable
    public var isEmpty: Bool { cancels.isEmpty }

    /// Cancels everything that is under way now; what is started later is not concerned.
    public func cancelAll() {
        for cancel in cancels { cancel() }
    }

    /// Cancels what both cancel.
    @inlinable
    public static func <> (lhs: EffectCanceller, rhs: EffectCanceller) -> EffectCanceller {
        EffectCanceller(cancels: lhs.cancels + rhs.cancels)
    }
}
