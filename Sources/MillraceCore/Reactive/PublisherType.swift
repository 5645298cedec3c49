// SPDX-License-Identifier: Apache-2.0

/// A source of values over time: one closure, behind which any reactive library can be.
///
/// ```swift
/// let publisher = UnfailablePublisherType<Int> { subscriber in
///     let subscription = SensorSubscription(sensor.observe { subscriber.onValue($0) })
///     subscriber.onSubscribe(subscription)
///     return subscription
/// }
/// ```
///
/// Threads, order and whether a new subscriber is given a value at once are up to what is behind it.
public struct PublisherType<Element, ErrorType: Error>: Sendable {
    /// Starts to tell a subscriber, until it ends the subscription.
    public let subscribe: @Sendable (SubscriberType<Element, ErrorType>) -> any SubscriptionType

    /// A publisher made of what is to happen when somebody subscribes.
    @preconcurrency
    @inlinable
    public init(subscribe: @escaping @Sendable (SubscriberType<Element, ErrorType>) -> any SubscriptionType) {
        self.subscribe = subscribe
    }

    /// The same as one that cannot fail. Stops the program if it fails nevertheless.
    @inlinable
    public func assertNoFailure() -> PublisherType<Element, Never> {
        PublisherType<Element, Never> { [subscribe] subscriber in
            subscribe(
                SubscriberType(
                    onValue: subscriber.onValue,
                    onCompleted: { error in
                        if let error { preconditionFailure("a publisher that was to never fail failed: \(error)") }
                        subscriber.onCompleted(nil)
                    },
                    onSubscribe: subscriber.onSubscribe
                )
            )
        }
    }

    /// Changes each value. The closure runs once a value for each subscriber; nothing is kept.
    @preconcurrency
    @inlinable
    public func map<NewElement>(
        _ transform: @escaping @Sendable (Element) -> NewElement
    ) -> PublisherType<NewElement, ErrorType> {
        PublisherType<NewElement, ErrorType> { [subscribe] subscriber in
            subscribe(
                SubscriberType(
                    onValue: { subscriber.onValue(transform($0)) },
                    onCompleted: subscriber.onCompleted,
                    onSubscribe: subscriber.onSubscribe
                )
            )
        }
    }
}
