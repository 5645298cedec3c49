// SPDX-License-Identifier: Apache-2.0

import MillraceCore
public import MillraceEffects

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

/// As a publisher it does its work for each subscriber, and completes; so it can be merged with values, or appended to.
extension FireAndForget: Publisher {
    /// What it is merged with.
    public typealias Output = IgnoringOutput
    /// It cannot fail.
    public typealias Failure = Never

    /// Does the work once the scheduler gets to it.
    @preconcurrency
    public init<S: Scheduler>(scheduler: S, _ operation: @escaping @Sendable () -> Void) {
        // Unchecked: a scheduler is made to be shared.
        let schedule = Unchecked<(@escaping @Sendable () -> Void) -> Void> { scheduler.schedule($0) }
        self.init(start: { sink in
            schedule.value {
                if !sink.isCancelled { operation() }
                sink.complete()
            }
        })
    }

    /// Subscribes a publisher, whose values go nowhere.
    public init<P: Publisher>(_ upstream: P) where P.Failure == Never {
        self.init(upstream.asPublisherType(), optionalCatchErrors: nil)
    }

    /// Subscribes a publisher, whose values go nowhere; its failure may become a value.
    @preconcurrency
    public init<P: Publisher>(_ upstream: P, catchErrors: @escaping @Sendable (P.Failure) -> IgnoringOutput?) {
        self.init(upstream.asPublisherType(), optionalCatchErrors: catchErrors)
    }

    private init<Value, Failure>(
        _ upstream: PublisherType<Value, Failure>,
        optionalCatchErrors catchErrors: (@Sendable (Failure) -> IgnoringOutput?)?
    ) {
        self.init(start: { sink in
            let made = upstream.subscribe(
                SubscriberType(
                    onCompleted: { error in
                        if let error, let output = catchErrors?(error) { sink.send(output) }
                        sink.complete()
                    },
                    onSubscribe: { subscription in
                        let subscription = Unchecked(subscription)  // A subscription may be ended on any thread.
                        sink.onCancel { subscription.value.unsubscribe() }
                    }
                )
            )
            // For publishers that do not tell it in `onSubscribe`; to end it twice does nothing.
            let returned = Unchecked(made)
            sink.onCancel { returned.value.unsubscribe() }
        })
    }

    /// Does the work for a subscriber.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == IgnoringOutput, Downstream.Failure == Never {
        let start = start
        UnfailablePublisherType<IgnoringOutput> { subscriber in
            let (sink, cancel) = EffectSink.standalone(
                onElement: subscriber.onValue,
                completed: { subscriber.onCompleted(nil) }
            )
            let subscription = AnyCancellable(cancel).asSubscriptionType()
            subscriber.onSubscribe(subscription)
            if !sink.isCancelled { start(sink) }
            return subscription
        }.receive(subscriber: subscriber)
    }
}
