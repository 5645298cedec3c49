// SPDX-License-Identifier: Apache-2.0

public import MillraceFeedback

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

// The feedbacks of MillraceFeedback with publishers of events as effects. A publisher is subscribed on the pipeline's
// thread. When the effect is cancelled, the subscription is cancelled.
extension Feedback {
    /// Creates a feedback that subscribes a publisher of events at every state, and cancels the previous subscription.
    @_disfavoredOverload
    public init<Events: Publisher & SendableMetatype>(
        effects: @escaping @Sendable (State) -> Events
    ) where Events.Output == Event, Events.Failure == Never {
        self.init(effects: { state in .events(effects(state)) })
    }

    /// Creates a feedback that begins an effect when its control is not equal to the previous one: the events of a
    /// publisher.
    @_disfavoredOverload
    public init<Control: Equatable & Sendable, Events: Publisher & SendableMetatype>(
        skippingRepeated control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Events
    ) where Events.Output == Event, Events.Failure == Never {
        self.init(skippingRepeated: control, effects: { control in .events(effects(control)) })
    }

    /// Creates a feedback that begins an effect at every state whose control is not nil: the events of a publisher.
    @_disfavoredOverload
    public init<Control: Sendable, Events: Publisher & SendableMetatype>(
        lensing control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Events
    ) where Events.Output == Event, Events.Failure == Never {
        self.init(lensing: control, effects: { control in .events(effects(control)) })
    }

    /// Creates a feedback that begins an effect at every state for which a predicate is true: the events of a
    /// publisher.
    @_disfavoredOverload
    public init<Events: Publisher & SendableMetatype>(
        predicate: @escaping @Sendable (State) -> Bool,
        effects: @escaping @Sendable (State) -> Events
    ) where Events.Output == Event, Events.Failure == Never {
        self.init(predicate: predicate, effects: { state in .events(effects(state)) })
    }

    /// Creates a feedback that begins an effect when a predicate becomes true: the events of a publisher.
    @_disfavoredOverload
    public init<Events: Publisher & SendableMetatype>(
        whenBecomesTrue predicate: @escaping @Sendable (State) -> Bool,
        effects: @escaping @Sendable (State) -> Events
    ) where Events.Output == Event, Events.Failure == Never {
        self.init(whenBecomesTrue: predicate, effects: { state in .events(effects(state)) })
    }

    /// Creates a feedback that begins an effect when its control changes from nil to a value: the events of a
    /// publisher.
    @_disfavoredOverload
    public init<Control: Sendable, Events: Publisher & SendableMetatype>(
        firstValueAfterNil control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Events
    ) where Events.Output == Event, Events.Failure == Never {
        self.init(firstValueAfterNil: control, effects: { control in .events(effects(control)) })
    }

    /// Creates a feedback that begins an effect at every state whose control is not nil: the events of a publisher.
    @_disfavoredOverload
    public init<Control: Sendable, Events: Publisher & SendableMetatype>(
        compacting control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Events
    ) where Events.Output == Event, Events.Failure == Never {
        self.init(compacting: control, effects: { control in .events(effects(control)) })
    }
}
