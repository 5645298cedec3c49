// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

extension SubscriptionType {
    /// Returns this subscription as a subscription of Combine, or itself if it is one already. The result passes demand
    /// on if it was made from a subscription of Combine; otherwise it ignores demand.
    public func asCancellable() -> any Cancellable & Subscription {
        if let subscription = self as? any Cancellable & Subscription { return subscription }
        return CombineSubscription(self)
    }

    /// Adds this subscription to a set. It ends when the set is released.
    public func cancelled(by cancellables: inout Set<AnyCancellable>) {
        cancellables.store(subscription: self)
    }
}

extension Cancellable {
    /// Returns this cancellable as a subscription of Millrace, or itself if it is one already.
    public func asSubscriptionType() -> any SubscriptionType {
        if let subscription = self as? any SubscriptionType { return subscription }
        return CombineSubscription(self)
    }
}

extension Set where Element == AnyCancellable {
    /// Keeps a subscription, which ends when the set is released.
    public mutating func store(subscription: any SubscriptionType) {
        insert(AnyCancellable { subscription.unsubscribe() })
    }
}

/// A subscription of both Combine and Millrace.
private final class CombineSubscription: Subscription, SubscriptionType {
    private let end: () -> Void
    /// Passes demand on; nil if the original has no demand.
    private let ask: ((Subscribers.Demand) -> Void)?

    init(_ subscription: some SubscriptionType) {
        end = { subscription.unsubscribe() }
        ask = nil
    }

    init(_ cancellable: some Cancellable) {
        end = { cancellable.cancel() }
        ask = (cancellable as? any Subscription).map { subscription in { subscription.request($0) } }
    }

    func request(_ demand: Subscribers.Demand) { ask?(demand) }

    func cancel() { end() }

    func unsubscribe() { end() }
}
