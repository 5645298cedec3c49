// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import MillraceFeedback

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

extension Publishers {
    /// Returns a publisher of the states of a feedback loop. It is cold: each subscription runs a machine of its own.
    ///
    /// ```swift
    /// Publishers.system(initial: Light.red, feedbacks: [changing], scheduler: DispatchQueue.main, reduce: Light.next)
    ///     .sink { print($0) }
    /// ```
    ///
    /// The subscriber gets the initial state, then the state after each event, before the feedbacks see that state. It
    /// is called on the scheduler. States that it has not requested wait. When the subscription is cancelled, all
    /// effects are cancelled. `FeedbackLoop` documents order, threads and cost, and is the same loop as an asynchronous
    /// sequence.
    public static func system<State: Sendable, Event: Sendable, Context: Scheduler>(
        initial: State,
        feedbacks: [Feedback<State, Event>],
        scheduler: Context,
        reduce: @escaping @Sendable (State, Event) -> State
    ) -> AnyPublisher<State, Never> {
        system(initial: initial, feedbacks: feedbacks, scheduler: .scheduler(scheduler), reduce: reduce)
    }

    /// Returns a publisher of the states of a feedback loop that an engine runs.
    public static func system<State: Sendable, Event: Sendable>(
        initial: State,
        feedbacks: [Feedback<State, Event>],
        scheduler: StoreEngine = .thread(),
        effects: EffectOptions = EffectOptions(),
        reduce: @escaping @Sendable (State, Event) -> State
    ) -> AnyPublisher<State, Never> {
        FeedbackLoop.system(
            initial: initial,
            feedbacks: feedbacks,
            scheduler: scheduler,
            effects: effects,
            reduce: reduce
        ).publisher
    }

    /// Returns a publisher of the states of a feedback loop whose reducer changes the state in place.
    public static func system<State: Sendable, Event: Sendable>(
        initial: State,
        feedbacks: [Feedback<State, Event>],
        scheduler: StoreEngine = .thread(),
        effects: EffectOptions = EffectOptions(),
        reduce: Reducer<Event, State>
    ) -> AnyPublisher<State, Never> {
        FeedbackLoop.system(
            initial: initial,
            feedbacks: feedbacks,
            scheduler: scheduler,
            effects: effects,
            reduce: reduce
        ).publisher
    }
}

extension FeedbackLoop {
    /// The states as a publisher: each subscription runs a machine of its own.
    public var publisher: AnyPublisher<State, Never> {
        UnfailablePublisherType<State> { subscriber in
            var subscription: (any SubscriptionType)?
            self.run(
                onSubscribe: { end in
                    let made = AnyCancellable(end).asSubscriptionType()
                    subscription = made
                    subscriber.onSubscribe(made)
                },
                onState: subscriber.onValue
            )
            return subscription ?? AnyCancellable {}.asSubscriptionType()
        }.eraseToAnyPublisher()
    }
}
