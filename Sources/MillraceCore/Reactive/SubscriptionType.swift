// SPDX-License-Identifier: Apache-2.0

/// A way to stop listening; what ``PublisherType/subscribe`` returns.
///
/// ```swift
/// var subscriptions: [any SubscriptionType] = []
/// store.statePublisher.subscribe(printer).cancelled(by: &subscriptions)
/// ```
public protocol SubscriptionType {
    /// Ends the subscription. Again: does nothing.
    func unsubscribe()
}

extension SubscriptionType {
    /// Puts itself into a collection, which ends it as that kind of collection does.
    @inlinable
    public func cancelled<Collection: SubscriptionCollection>(by subscriptionCollection: inout Collection) {
        subscriptionCollection.store(subscription: self)
    }

    /// Puts itself into a collection whose type is hidden.
    @inlinable
    public func cancelled(by subscriptionCollection: inout any SubscriptionCollection) {
        subscriptionCollection.store(subscription: self)
    }
}
