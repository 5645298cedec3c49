// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

extension SubscriptionType {
    /// The same subscription as Combine knows them; one that is one already is returned. Demand does not matter to it.
    public func asCancellable() -> any Cancellable & Subscription {
        if let subscription = self as? any Cancellable & Subscription { return subscription }
        return CombineSubscription(self)
    }

    /// Puts itself into a set, with which it ends.
    public func cancelled(by cancellables: inout Set<AnyCancellable>) {
        cancellables.store(subscription: self)
    }
}

extension Cancellable {
    /// The same as a subscription of Millrace; one that is one already is returned.
    public func asSubscriptionType() -> any SubscriptionType {
        if let subscription = self as? any SubscriptionType { return subscription }
        return CombineSubscription(self)
    }
}

extension Set where Element == AnyCancellable {
    /// Keeps a subscription, which ends with the set.
    public mutating func store(subscription: any SubscriptionType) {
        insert(AnyCancellable { subscription.unsubscribe() })
    }
}

/// A subscription in both roles.
private final class CombineSubscription: Subscription, SubscriptionType {
    private let end: () -> Void

    init(_ subscription: some SubscriptionType) {
        end = { subscription.unsubscribe() }
    }

    init(_ cancellable: some Cancellable) {
        end = { cancellable.cancel() }
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() { end() }

    func unsubscribe() { end() }
}
