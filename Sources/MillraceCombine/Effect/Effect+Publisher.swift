// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import MillraceEffects

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

extension Effect {
    /// What a publisher dispatches. It is subscribed when the effect is started, on the thread that starts it.
    @preconcurrency
    public init<P: Publisher>(effect: @escaping @Sendable (Context) -> P)
    where P.Output == DispatchedAction<OutputAction>, P.Failure == Never {
        // Unchecked: it captures what is Sendable, and the type of the publisher.
        let start = Unchecked<(Context, Sink) -> Void> { context, sink in sink.report(effect(context)) }
        self.init { context, sink in start.value(context, sink) }
    }

    /// The same, which can be cancelled and replaced: then the subscription is.
    @preconcurrency
    public init<Token: Hashable & Sendable, P: Publisher>(
        token: Token,
        effect: @escaping @Sendable (Context) -> P
    ) where P.Output == DispatchedAction<OutputAction>, P.Failure == Never {
        self = Effect(effect: effect).withToken(token)
    }

    /// Subscribes a publisher for its own sake: its values go nowhere.
    @preconcurrency
    public static func fireAndForget<P: Publisher>(_ upstream: @escaping @Sendable (Context) -> P) -> Effect
    where P.Failure == Never {
        // Unchecked: it captures what is Sendable, and the type of the publisher.
        let work = Unchecked { (context: Context) in FireAndForget<DispatchedAction<OutputAction>>(upstream(context)) }
        return Effect { context, sink in work.value(context).start(sink) }
    }

    /// Subscribes a publisher for its own sake: its values go nowhere; its failure may become an action.
    @preconcurrency
    public static func fireAndForget<P: Publisher>(
        _ upstream: @escaping @Sendable (Context) -> P,
        catchErrors: @escaping @Sendable (P.Failure) -> DispatchedAction<OutputAction>?
    ) -> Effect {
        // Unchecked: it captures what is Sendable, and the type of the publisher.
        let work = Unchecked { (context: Context) in
            FireAndForget<DispatchedAction<OutputAction>>(upstream(context), catchErrors: catchErrors)
        }
        return Effect { context, sink in work.value(context).start(sink) }
    }

    /// The effect as a publisher, which starts it for each subscriber; nil if it does nothing.
    ///
    /// Its token counts for nothing here, as no middleware runs it.
    public func run(_ context: Context) -> AnyPublisher<DispatchedAction<OutputAction>, Never>? {
        guard doesSomething else { return nil }
        let context = Unchecked(context)  // SwiftRex's dependencies need not be Sendable; they are the caller's.
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
    /// What a publisher dispatches.
    public init<P: Publisher>(_ effect: P) where P.Output == DispatchedAction<OutputAction>, P.Failure == Never {
        // Unchecked: whoever shares the publisher answers for that, as everywhere in Combine.
        let start = Unchecked<(Sink) -> Void> { sink in sink.report(effect) }
        self.init { _, sink in start.value(sink) }
    }

    /// What a publisher dispatches, which can be cancelled and replaced.
    @preconcurrency
    public init<Token: Hashable & Sendable, P: Publisher>(token: Token, effect: P)
    where P.Output == DispatchedAction<OutputAction>, P.Failure == Never {
        self = Effect(effect).withToken(token)
    }

    /// Subscribes a publisher for its own sake: its values go nowhere.
    public static func fireAndForget<P: Publisher>(_ upstream: P) -> Effect where P.Failure == Never {
        Effect(FireAndForget<DispatchedAction<OutputAction>>(upstream))
    }

    /// Subscribes a publisher for its own sake: its values go nowhere; its failure may become an action.
    @preconcurrency
    public static func fireAndForget<P: Publisher>(
        _ upstream: P,
        catchErrors: @escaping @Sendable (P.Failure) -> DispatchedAction<OutputAction>?
    ) -> Effect {
        Effect(FireAndForget<DispatchedAction<OutputAction>>(upstream, catchErrors: catchErrors))
    }
}

extension EffectSink {
    /// Sends what a publisher gives, completes with it, and ends the subscription when the effect is cancelled.
    func report<P: Publisher>(_ publisher: P) where P.Output == Element, P.Failure == Never {
        let made = publisher.asPublisherType().subscribe(
            SubscriberType(
                onValue: { send($0) },
                onCompleted: { _ in complete() },
                onSubscribe: { subscription in
                    let subscription = Unchecked(subscription)  // A subscription may be ended on any thread.
                    onCancel { subscription.value.unsubscribe() }
                }
            )
        )
        // For publishers that do not tell it in `onSubscribe`; to end it twice does nothing.
        let returned = Unchecked(made)
        onCancel { returned.value.unsubscribe() }
    }
}
