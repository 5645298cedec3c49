// SPDX-License-Identifier: Apache-2.0

// The feedbacks of Feedback+Controls.swift, with asynchronous sequences of events as effects.
extension Feedback {
    /// Creates a feedback that reads a sequence of events at every state, and cancels the sequence of the previous
    /// state.
    @_disfavoredOverload
    @inlinable
    public init<Events: AsyncSequence & SendableMetatype>(
        effects: @escaping @Sendable (State) -> Events
    ) where Events.Element == Event, Events.Failure == Never {
        self.init(effects: { state in Effect.stream { _ in effects(state) } })
    }

    /// Creates a feedback that begins an effect when its control is not equal to the previous one: the events of a
    /// sequence.
    @_disfavoredOverload
    @inlinable
    public init<Control: Equatable & Sendable, Events: AsyncSequence & SendableMetatype>(
        skippingRepeated control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Events
    ) where Events.Element == Event, Events.Failure == Never {
        self.init(skippingRepeated: control, effects: { control in Effect.stream { _ in effects(control) } })
    }

    /// Creates a feedback that begins an effect at every state whose control is not nil: the events of a sequence.
    @_disfavoredOverload
    @inlinable
    public init<Control: Sendable, Events: AsyncSequence & SendableMetatype>(
        lensing control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Events
    ) where Events.Element == Event, Events.Failure == Never {
        self.init(lensing: control, effects: { control in Effect.stream { _ in effects(control) } })
    }

    /// Creates a feedback that begins an effect at every state for which a predicate is true: the events of a sequence.
    @_disfavoredOverload
    @inlinable
    public init<Events: AsyncSequence & SendableMetatype>(
        predicate: @escaping @Sendable (State) -> Bool,
        effects: @escaping @Sendable (State) -> Events
    ) where Events.Element == Event, Events.Failure == Never {
        self.init(predicate: predicate, effects: { state in Effect.stream { _ in effects(state) } })
    }

    /// Creates a feedback that begins an effect when a predicate becomes true: the events of a sequence.
    @_disfavoredOverload
    @inlinable
    public init<Events: AsyncSequence & SendableMetatype>(
        whenBecomesTrue predicate: @escaping @Sendable (State) -> Bool,
        effects: @escaping @Sendable (State) -> Events
    ) where Events.Element == Event, Events.Failure == Never {
        self.init(whenBecomesTrue: predicate, effects: { state in Effect.stream { _ in effects(state) } })
    }

    /// Creates a feedback that begins an effect when its control changes from nil to a value: the events of a sequence.
    @_disfavoredOverload
    @inlinable
    public init<Control: Sendable, Events: AsyncSequence & SendableMetatype>(
        firstValueAfterNil control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Events
    ) where Events.Element == Event, Events.Failure == Never {
        self.init(firstValueAfterNil: control, effects: { control in Effect.stream { _ in effects(control) } })
    }

    /// Creates a feedback that begins an effect at every state whose control is not nil: the events of a sequence.
    @_disfavoredOverload
    @inlinable
    public init<Control: Sendable, Events: AsyncSequence & SendableMetatype>(
        compacting control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Events
    ) where Events.Element == Event, Events.Failure == Never {
        self.init(compacting: control, effects: { control in Effect.stream { _ in effects(control) } })
    }
}
