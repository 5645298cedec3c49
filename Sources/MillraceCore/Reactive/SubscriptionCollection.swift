// SPDX-License-Identifier: Apache-2.0

/// A collection that keeps subscriptions, such as the bag of a reactive library, which ends them when it is destroyed.
public protocol SubscriptionCollection {
    /// Keeps a subscription.
    mutating func store(subscription: any SubscriptionType)
}

/// An array only keeps subscriptions: a subscription of Millrace stays active until `unsubscribe` is called.
extension Array: SubscriptionCollection where Element == any SubscriptionType {
    /// Appends the subscription.
    @inlinable
    public mutating func store(subscription: any SubscriptionType) {
        append(subscription)
    }
}
