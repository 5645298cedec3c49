// SPDX-License-Identifier: Apache-2.0

/// Cancels the running effects of a middleware, for code that switches the middleware off.
///
/// ```swift
/// final class Polling: MiddlewareProtocol {
///     let tasks = TaskBag()
///     var effectCanceller: EffectCanceller { EffectCanceller { [weak tasks] in tasks?.cancelAll() } }
/// }
/// ```
///
/// It must not keep the middleware alive: the canceller may live longer than the middleware.
///
/// **Threads.** Any thread may call ``cancelAll()``, any number of times, also several at once.
public struct EffectCanceller: Monoid, Sendable {
    @usableFromInline let cancels: [@Sendable () -> Void]

    @inlinable
    init(cancels: [@Sendable () -> Void]) {
        self.cancels = cancels
    }

    /// Creates a canceller from a closure that does not keep the middleware alive.
    @inlinable
    public init(_ cancelAll: @escaping @Sendable () -> Void) {
        self.init(cancels: [cancelAll])
    }

    /// The canceller of a middleware that never has running effects.
    @inlinable
    public static var identity: EffectCanceller { EffectCanceller(cancels: []) }

    /// Whether there is never anything to cancel.
    @inlinable
    public var isEmpty: Bool { cancels.isEmpty }

    /// Cancels all effects that run now. Effects that start later are not cancelled.
    public func cancelAll() {
        for cancel in cancels { cancel() }
    }

    /// Returns a canceller that cancels the effects of both.
    @inlinable
    public static func <> (lhs: EffectCanceller, rhs: EffectCanceller) -> EffectCanceller {
        EffectCanceller(cancels: lhs.cancels + rhs.cancels)
    }
}
