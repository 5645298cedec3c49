// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

/// Every publisher of Millrace is a publisher of Combine.
///
/// Values that a subscriber has not requested wait, without a bound, until it requests them: none is lost.
extension PublisherType: Publisher {
    /// The type of the values.
    public typealias Output = Element
    /// The type of the errors.
    public typealias Failure = ErrorType

    /// Subscribes a subscriber of Combine.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Element, Downstream.Failure == ErrorType {
        let subscription = DemandBuffer(subscriber)
        subscriber.receive(subscription: subscription)
        let buffer: DemandInput<Element, ErrorType> = subscription
        let made = subscribe(
            SubscriberType<Element, ErrorType>(
                onValue: { buffer.push($0) },
                onCompleted: { buffer.finish($0.map { .failure($0) } ?? .finished) },
                onSubscribe: { subscription in
                    let subscription = Unchecked(subscription)  // Any thread may end a subscription.
                    buffer.onCancel { subscription.value.unsubscribe() }
                }
            )
        )
        // For publishers that do not pass the subscription to `onSubscribe`. Ending it twice has no effect.
        let returned = Unchecked(made)
        buffer.onCancel { returned.value.unsubscribe() }
    }

    /// Turns a function on values into a function on publishers.
    @preconcurrency
    public static func lift<FromOutput>(
        _ transform: @escaping @Sendable (FromOutput) -> Output
    ) -> @Sendable (PublisherType<FromOutput, Failure>) -> PublisherType<Output, Failure> {
        { $0.map(transform) }
    }
}

extension Publisher {
    /// Returns this publisher as a publisher of Millrace, or itself if it is one already.
    ///
    /// The subscription that `subscribe` returns and the one that `onSubscribe` receives are the same: `unsubscribe`
    /// ends it. Releasing the subscription does not end it.
    public func asPublisherType() -> PublisherType<Output, Failure> {
        if let publisher = self as? PublisherType<Output, Failure> { return publisher }
        // Unchecked: as everywhere in Combine, code that shares the publisher is responsible for that.
        let start = Unchecked { (bridge: SubscriberBridge<Output, Failure>) in self.subscribe(bridge) }
        return PublisherType { subscriber in
            let bridge = SubscriberBridge(subscriber)
            start.value(bridge)
            return bridge
        }
    }
}
