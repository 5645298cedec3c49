// SPDX-License-Identifier: Apache-2.0

/// An object that ends a subscription; the result of ``PublisherType/subscribe``.
///
/// ```swift
/// var subscriptions: [any SubscriptionType] = []
/// store.statePublisher.subscribe(printer).cancelled(by: &subscriptions)
/// ```
public protocol SubscriptionType {
    /// Ends the subscription. A second call does nothing.
    func unsubscribe()
}

extension SubscriptionType {
    /// Stores this subscription in a collection. The kind of collection decides when the subscription ends.
    @inlinable
    public func cancelled<Collection: SubscriptionCollection>(by subscriptionCollection: inout Collection) {
        subscriptionCollection.store(subscription: self)
    }

    /// Stores this subscription in a type-erased collection.
    @inlinable
    public func cancelled(by subscriptionCollection: inout any SubscriptionCollection) {
        subscriptionCollection.store(subscription: self)
    }
}
