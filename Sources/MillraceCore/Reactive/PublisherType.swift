// SPDX-License-Identifier: Apache-2.0

/// A source of values over time: one closure, which can wrap any reactive library.
///
/// ```swift
/// let publisher = UnfailablePublisherType<Int> { subscriber in
///     let subscription = SensorSubscription(sensor.observe { subscriber.onValue($0) })
///     subscriber.onSubscribe(subscription)
///     return subscription
/// }
/// ```
///
/// The wrapped library decides on threads and order, and whether a new subscriber receives a value at once.
public struct PublisherType<Element, ErrorType: Error>: Sendable {
    /// Starts to deliver values to a subscriber; the returned subscription ends the delivery.
    public let subscribe: @Sendable (SubscriberType<Element, ErrorType>) -> any SubscriptionType

    /// Creates a publisher from a closure that runs at each subscription.
    @preconcurrency
    @inlinable
    public init(subscribe: @escaping @Sendable (SubscriberType<Element, ErrorType>) -> any SubscriptionType) {
        self.subscribe = subscribe
    }

    /// Returns this publisher as one that cannot fail. The program stops if it fails nevertheless.
    @inlinable
    public func assertNoFailure() -> PublisherType<Element, Never> {
        PublisherType<Element, Never> { [subscribe] subscriber in
            subscribe(
                SubscriberType(
                    onValue: subscriber.onValue,
                    onCompleted: { error in
                        if let error {
                            preconditionFailure(
                                "a publisher failed after assertNoFailure(): \(error). Handle the error before that call"
                            )
                        }
                        subscriber.onCompleted(nil)
                    },
                    onSubscribe: subscriber.onSubscribe
                )
            )
        }
    }

    /// Transforms each value. The closure runs once per value and subscriber; no value is stored.
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
