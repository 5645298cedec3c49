// SPDX-License-Identifier: Apache-2.0

/// A place that keeps subscriptions, for instance the bag of a reactive library that ends them all when it goes.
public protocol SubscriptionCollection {
    /// Keeps a subscription.
    mutating func store(subscription: any SubscriptionType)
}

/// An array only keeps them: a subscription of Millrace goes on until somebody ends it.
extension Array: SubscriptionCollection where Element == any SubscriptionType {
    /// Appends it.
    @inlinable
    public mutating func store(subscription: any SubscriptionType) {
        append(subscription)
    }
}
