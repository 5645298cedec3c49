// SPDX-License-Identifier: Apache-2.0

// The feedbacks that look at each state on the pipeline's thread. All other forms of them call these.
extension Feedback {
    /// Creates a feedback that begins an effect at every state, and cancels the one before.
    @inlinable
    public init(effects: @escaping @Sendable (State) -> Effect<Void, Event>) {
        self.init(remembering: {}) { state, _, lane, output in
            lane.replace(by: effects(state), output)
        }
    }

    /// Creates a feedback that begins an effect when its control is not equal to the one before. A control that is nil
    /// cancels the effect.
    ///
    /// ```swift
    /// Feedback(skippingRepeated: { $0.isLoading ? $0.page : nil }) { page in
    ///     .task { _ in .loaded(await load(page)) }
    /// }
    /// ```
    @inlinable
    public init<Control: Equatable & Sendable>(
        skippingRepeated control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Effect<Void, Event>
    ) {
        self.init(remembering: { nil as Control? }) { state, memory, lane, output in
            let now = control(state)
            if now == memory.last { return }
            memory.last = now
            if let now { lane.replace(by: effects(now), output) } else { lane.cancel() }
        }
    }

    /// Creates a feedback that begins an effect at every state whose control is not nil, and cancels the one before at
    /// every state.
    @inlinable
    public init<Control: Sendable>(
        lensing control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Effect<Void, Event>
    ) {
        self.init(remembering: {}) { state, _, lane, output in
            if let now = control(state) { lane.replace(by: effects(now), output) } else { lane.cancel() }
        }
    }

    /// Creates a feedback that begins an effect at every state for which a predicate is true, and cancels the one before
    /// at every state. It is level-triggered; `init(whenBecomesTrue:effects:)` is edge-triggered.
    @inlinable
    public init(
        predicate: @escaping @Sendable (State) -> Bool,
        effects: @escaping @Sendable (State) -> Effect<Void, Event>
    ) {
        self.init(remembering: {}) { state, _, lane, output in
            if predicate(state) { lane.replace(by: effects(state), output) } else { lane.cancel() }
        }
    }

    /// Creates a feedback that begins an effect when a predicate becomes true, with the state at that moment. Later states
    /// leave the effect alone until the predicate is false: then it is cancelled.
    @inlinable
    public init(
        whenBecomesTrue predicate: @escaping @Sendable (State) -> Bool,
        effects: @escaping @Sendable (State) -> Effect<Void, Event>
    ) {
        self.init(remembering: { false }) { state, memory, lane, output in
            let now = predicate(state)
            if now == memory.last { return }
            memory.last = now
            if now { lane.replace(by: effects(state), output) } else { lane.cancel() }
        }
    }

    /// Creates a feedback that begins an effect when its control was nil and no longer is, with the control at that moment.
    /// Later controls leave the effect alone until the control is nil: then it is cancelled.
    @inlinable
    public init<Control: Sendable>(
        firstValueAfterNil control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Effect<Void, Event>
    ) {
        self.init(remembering: { false }) { state, memory, lane, output in
            if let now = control(state) {
                if memory.last { return }
                memory.last = true
                lane.replace(by: effects(now), output)
            } else if memory.last {
                memory.last = false
                lane.cancel()
            }
        }
    }

    /// Creates a feedback that begins an effect at every state whose control is not nil. At the other states the effect goes
    /// on: only a new one cancels it.
    @inlinable
    public init<Control: Sendable>(
        compacting control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Effect<Void, Event>
    ) {
        self.init(remembering: {}) { state, _, lane, output in
            if let now = control(state) { lane.replace(by: effects(now), output) }
        }
    }
}
