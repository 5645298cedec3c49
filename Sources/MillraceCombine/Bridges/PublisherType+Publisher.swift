// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

/// Every publisher of Millrace is one of Combine.
///
/// What a subscriber has not asked for waits, without a bound, until it asks: nothing is lost.
extension PublisherType: Publisher {
    /// Its values.
    public typealias Output = Element
    /// Its errors.
    public typealias Failure = ErrorType

    /// Subscribes one of Combine's subscribers.
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
                    let subscription = Unchecked(subscription)  // A subscription may be ended on any thread.
                    buffer.onCancel { subscription.value.unsubscribe() }
                }
            )
        )
        // For publishers that do not tell it in `onSubscribe`; to end it twice does nothing.
        let returned = Unchecked(made)
        buffer.onCancel { returned.value.unsubscribe() }
    }

    /// Makes a function on values one on publishers.
    @preconcurrency
    public static func lift<FromOutput>(
        _ transform: @escaping @Sendable (FromOutput) -> Output
    ) -> @Sendable (PublisherType<FromOutput, Failure>) -> PublisherType<Output, Failure> {
        { $0.map(transform) }
    }
}

extension Publisher {
    /// The same publisher as Millrace knows them; one that is one already is returned.
    ///
    /// `unsubscribe` of the subscription that `subscribe` returns ends it, and so does that of the one given to
    /// `onSubscribe`: they are the same. A subscription that is thrown away goes on.
    public func asPublisherType() -> PublisherType<Output, Failure> {
        if let publisher = self as? PublisherType<Output, Failure> { return publisher }
        // Unchecked: whoever shares the publisher answers for that, as everywhere in Combine.
        let start = Unchecked { (bridge: SubscriberBridge<Output, Failure>) in self.subscribe(bridge) }
        return PublisherType { subscriber in
            let bridge = SubscriberBridge(subscriber)
            start.value(bridge)
            return bridge
        }
    }
}
