// SPDX-License-Identifier: Apache-2.0

import MillraceCore
public import MillraceFeedback

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

// The feedbacks that turn the publisher of states into another publisher. The publisher of states sends each state on
// the pipeline's thread, before the next event is reduced.
extension Feedback {
    /// Creates a feedback from a function on publishers: it gets the states of a run, the initial one first, and
    /// returns the events to send.
    ///
    /// ```swift
    /// Feedback(events: { states in states.filter(\.isOver).map { _ in .restart } })
    /// ```
    @_disfavoredOverload
    public init<Events: Publisher & SendableMetatype>(
        events: @escaping @Sendable (AnyPublisher<State, Never>) -> Events
    ) where Events.Output == Event, Events.Failure == Never {
        self = .pushing {
            let feed = PublisherFeed<State>()
            return (feed.push, .events(events(feed.publisher)))
        }
    }

    /// Creates a feedback that derives a publisher of controls from the publisher of states, and begins an effect for
    /// each of them. A new control cancels the effect of the previous one.
    @_disfavoredOverload
    public init<Controls: Publisher & SendableMetatype>(
        deriving: @escaping @Sendable (AnyPublisher<State, Never>) -> Controls,
        effects: @escaping @Sendable (Controls.Output) -> Effect<Void, Event>
    ) where Controls.Failure == Never {
        self = .pushing {
            let feed = PublisherFeed<State>()
            return (feed.push, .latest(of: deriving(feed.publisher), effects))
        }
    }

    /// Creates a feedback that derives a publisher of controls from the publisher of states, and subscribes a publisher
    /// of events for each of them. A new control cancels the previous subscription.
    @_disfavoredOverload
    public init<Controls: Publisher & SendableMetatype, Events: Publisher & SendableMetatype>(
        deriving: @escaping @Sendable (AnyPublisher<State, Never>) -> Controls,
        effects: @escaping @Sendable (Controls.Output) -> Events
    ) where Controls.Failure == Never, Events.Output == Event, Events.Failure == Never {
        self.init(deriving: deriving, effects: { control -> Effect<Void, Event> in .events(effects(control)) })
    }

    /// Creates a feedback that derives a publisher of controls from the publisher of states, and subscribes a publisher
    /// of events for each of them: the same as `init(deriving:effects:)`.
    @_disfavoredOverload
    public static func compacting<Controls: Publisher & SendableMetatype, Events: Publisher & SendableMetatype>(
        state deriving: @escaping @Sendable (AnyPublisher<State, Never>) -> Controls,
        effects: @escaping @Sendable (Controls.Output) -> Events
    ) -> Feedback where Controls.Failure == Never, Events.Output == Event, Events.Failure == Never {
        Feedback(deriving: deriving, effects: effects)
    }

    /// Creates a feedback that derives a publisher of controls from the publisher of events, and subscribes a publisher
    /// of events for each of them. A new control cancels the previous subscription.
    @_disfavoredOverload
    public static func compacting<Controls: Publisher & SendableMetatype, Events: Publisher & SendableMetatype>(
        events deriving: @escaping @Sendable (AnyPublisher<Event, Never>) -> Controls,
        effects: @escaping @Sendable (Controls.Output) -> Events
    ) -> Feedback where Controls.Failure == Never, Events.Output == Event, Events.Failure == Never {
        pushingEvents {
            let feed = PublisherFeed<Event>()
            return (feed.push, .latest(of: deriving(feed.publisher)) { .events(effects($0)) })
        }
    }
}

extension Effect where Dependencies == Void {
    /// Returns an effect that sends the values of a publisher.
    static func events<Events: Publisher>(_ events: Events) -> Effect
    where Events.Output == OutputAction, Events.Failure == Never {
        Effect(events.map { DispatchedAction($0) })
    }

    /// Returns an effect that subscribes a publisher, and for each value replaces one effect by another.
    fileprivate static func latest<Controls: Publisher>(
        of controls: Controls,
        _ effects: @escaping @Sendable (Controls.Output) -> Effect
    ) -> Effect where Controls.Failure == Never {
        let controls = controls.asPublisherType()
        return Effect { context, sink in
            let part = LatestPart(context, sink)
            let returned = Unchecked(
                controls.subscribe(
                    SubscriberType(
                        onValue: { part.replace(by: effects($0)) },
                        onSubscribe: { subscription in
                            let subscription = Unchecked(subscription)  // Any thread may end a subscription.
                            sink.onCancel { subscription.value.unsubscribe() }
                        }
                    )
                )
            )
            // For publishers that do not pass the subscription to `onSubscribe`. Ending it twice has no effect.
            sink.onCancel { returned.value.unsubscribe() }
        }
    }
}

/// The input of a publisher, to which the loop pushes values. Releasing it completes the publisher.
private final class PublisherFeed<Value: Sendable>: Sendable {
    private let subject = SubjectType<Value, Never>.native()

    deinit {
        subject.subscriber.onCompleted(nil)
    }

    var publisher: AnyPublisher<Value, Never> { subject.publisher.eraseToAnyPublisher() }

    @Sendable
    func push(_ value: Value) {
        subject.subscriber.onValue(value)
    }
}
