// SPDX-License-Identifier: Apache-2.0

import MillraceCore
public import MillraceEffects

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

/// As a publisher, `FireAndForget` runs its closure for each subscriber, sends no values, and completes. So it can be
/// merged with another publisher, or appended to it.
extension FireAndForget: Publisher {
    /// The type of the values of a publisher with which it can be merged.
    public typealias Output = IgnoringOutput
    /// It cannot fail.
    public typealias Failure = Never

    /// Creates a `FireAndForget` that calls a closure on a scheduler.
    @preconcurrency
    public init<S: Scheduler>(scheduler: S, _ operation: @escaping @Sendable () -> Void) {
        // Unchecked: schedulers are meant to be shared.
        let schedule = Unchecked<(@escaping @Sendable () -> Void) -> Void> { scheduler.schedule($0) }
        self.init(start: { sink in
            schedule.value {
                if !sink.isCancelled { operation() }
                sink.complete()
            }
        })
    }

    /// Creates a `FireAndForget` that subscribes a publisher and ignores its values.
    public init<P: Publisher>(_ upstream: P) where P.Failure == Never {
        self.init(upstream.asPublisherType(), optionalCatchErrors: nil)
    }

    /// Creates a `FireAndForget` that subscribes a publisher and ignores its values. `catchErrors` may turn its failure
    /// into a value.
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
                        let subscription = Unchecked(subscription)  // Any thread may end a subscription.
                        sink.onCancel { subscription.value.unsubscribe() }
                    }
                )
            )
            // For publishers that do not pass the subscription to `onSubscribe`. Ending it twice has no effect.
            let returned = Unchecked(made)
            sink.onCancel { returned.value.unsubscribe() }
        })
    }

    /// Runs the closure for a subscriber.
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
