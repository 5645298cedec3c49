// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import MillraceEffects

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

extension Effect {
    /// Creates an effect that dispatches the values of a publisher. The publisher is subscribed when the effect is
    /// started, on the thread that starts it.
    @preconcurrency
    public init<P: Publisher>(effect: @escaping @Sendable (Context) -> P)
    where P.Output == DispatchedAction<OutputAction>, P.Failure == Never {
        // Unchecked: it captures Sendable values and the type of the publisher.
        let start = Unchecked<(Context, Sink) -> Void> { context, sink in sink.report(effect(context)) }
        self.init { context, sink in start.value(context, sink) }
    }

    /// Creates an effect with a token that dispatches the values of a publisher. When the effect is cancelled or
    /// replaced, its subscription is cancelled.
    @preconcurrency
    public init<Token: Hashable & Sendable, P: Publisher>(
        token: Token,
        effect: @escaping @Sendable (Context) -> P
    ) where P.Output == DispatchedAction<OutputAction>, P.Failure == Never {
        self = Effect(effect: effect).withToken(token)
    }

    /// Returns an effect that subscribes a publisher and ignores its values.
    @preconcurrency
    public static func fireAndForget<P: Publisher>(_ upstream: @escaping @Sendable (Context) -> P) -> Effect
    where P.Failure == Never {
        // Unchecked: it captures Sendable values and the type of the publisher.
        let body = Unchecked { (context: Context) in FireAndForget<DispatchedAction<OutputAction>>(upstream(context)) }
        return Effect { context, sink in body.value(context).start(sink) }
    }

    /// Returns an effect that subscribes a publisher and ignores its values. `catchErrors` may turn its failure into
    /// an action.
    @preconcurrency
    public static func fireAndForget<P: Publisher>(
        _ upstream: @escaping @Sendable (Context) -> P,
        catchErrors: @escaping @Sendable (P.Failure) -> DispatchedAction<OutputAction>?
    ) -> Effect {
        // Unchecked: it captures Sendable values and the type of the publisher.
        let body = Unchecked { (context: Context) in
            FireAndForget<DispatchedAction<OutputAction>>(upstream(context), catchErrors: catchErrors)
        }
        return Effect { context, sink in body.value(context).start(sink) }
    }

    /// Returns a publisher that starts the effect for each subscriber; nil if the effect does nothing.
    ///
    /// The token of the effect is ignored, because no middleware runs the effect.
    public func run(_ context: Context) -> AnyPublisher<DispatchedAction<OutputAction>, Never>? {
        guard doesSomething else { return nil }
        let context = Unchecked(context)  // In SwiftRex it need not be Sendable; the caller is responsible.
        return UnfailablePublisherType { subscriber in
            let (sink, cancel) = Sink.standalone(
                onElement: subscriber.onValue,
                completed: { subscriber.onCompleted(nil) }
            )
            let subscription = AnyCancellable(cancel).asSubscriptionType()
            subscriber.onSubscribe(subscription)
            if !sink.isCancelled { self.begin(context.value, sink) }
            return subscription
        }.eraseToAnyPublisher()
    }
}

extension Effect where Dependencies == Void {
    /// Creates an effect that dispatches the values of a publisher.
    public init<P: Publisher>(_ effect: P) where P.Output == DispatchedAction<OutputAction>, P.Failure == Never {
        // Unchecked: as everywhere in Combine, code that shares the publisher is responsible for that.
        let start = Unchecked<(Sink) -> Void> { sink in sink.report(effect) }
        self.init { _, sink in start.value(sink) }
    }

    /// Creates an effect with a token, by which it can be cancelled and replaced, that dispatches the values of a
    /// publisher.
    @preconcurrency
    public init<Token: Hashable & Sendable, P: Publisher>(token: Token, effect: P)
    where P.Output == DispatchedAction<OutputAction>, P.Failure == Never {
        self = Effect(effect).withToken(token)
    }

    /// Returns an effect that subscribes a publisher and ignores its values.
    public static func fireAndForget<P: Publisher>(_ upstream: P) -> Effect where P.Failure == Never {
        Effect(FireAndForget<DispatchedAction<OutputAction>>(upstream))
    }

    /// Returns an effect that subscribes a publisher and ignores its values. `catchErrors` may turn its failure into
    /// an action.
    @preconcurrency
    public static func fireAndForget<P: Publisher>(
        _ upstream: P,
        catchErrors: @escaping @Sendable (P.Failure) -> DispatchedAction<OutputAction>?
    ) -> Effect {
        Effect(FireAndForget<DispatchedAction<OutputAction>>(upstream, catchErrors: catchErrors))
    }
}

extension EffectSink {
    /// Sends the values of a publisher, completes with it, and cancels the subscription when the effect is cancelled.
    func report<P: Publisher>(_ publisher: P) where P.Output == Element, P.Failure == Never {
        let made = publisher.asPublisherType().subscribe(
            SubscriberType(
                onValue: { send($0) },
                onCompleted: { _ in complete() },
                onSubscribe: { subscription in
                    let subscription = Unchecked(subscription)  // Any thread may end a subscription.
                    onCancel { subscription.value.unsubscribe() }
                }
            )
        )
        // For publishers that do not pass the subscription to `onSubscribe`. Ending it twice has no effect.
        let returned = Unchecked(made)
        onCancel { returned.value.unsubscribe() }
    }
}
