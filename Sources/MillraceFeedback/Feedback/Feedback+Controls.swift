// SPDX-License-Identifier: Apache-2.0

// The feedbacks that look at each state on the pipeline's thread. Their forms with closures, sequences and publishers
// call these.
extension Feedback {
    /// Creates a feedback that begins an effect at every state, and cancels the effect of the previous state.
    @inlinable
    public init(effects: @escaping @Sendable (State) -> Effect<Void, Event>) {
        self.init(remembering: {}) { state, _, lane, output in
            lane.replace(by: effects(state), output)
        }
    }

    /// Creates a feedback that begins an effect when its control is not equal to the previous one. A control that is
    /// nil only cancels the effect.
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

    /// Creates a feedback that begins an effect at every state whose control is not nil. Every state cancels the
    /// previous effect.
    @inlinable
    public init<Control: Sendable>(
        lensing control: @escaping @Sendable (State) -> Control?,
        effects: @escaping @Sendable (Control) -> Effect<Void, Event>
    ) {
        self.init(remembering: {}) { state, _, lane, output in
            if let now = control(state) { lane.replace(by: effects(now), output) } else { lane.cancel() }
        }
    }

    /// Creates a feedback that begins an effect at every state for which a predicate is true. Every state cancels the
    /// previous effect. This feedback is level-triggered; `init(whenBecomesTrue:effects:)` is edge-triggered.
    @inlinable
    public init(
        predicate: @escaping @Sendable (State) -> Bool,
        effects: @escaping @Sendable (State) -> Effect<Void, Event>
    ) {
        self.init(remembering: {}) { state, _, lane, output in
            if predicate(state) { lane.replace(by: effects(state), output) } else { lane.cancel() }
        }
    }

    /// Creates a feedback that begins an effect when a predicate becomes true, with the state at that moment. Later
    /// states do not change the effect. The feedback cancels it when the predicate becomes false.
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

    /// Creates a feedback that begins an effect when its control changes from nil to a value, with the control at that
    /// moment. Later controls do not change the effect. The feedback cancels it when the control becomes nil.
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

    /// Creates a feedback that begins an effect at every state whose control is not nil. At the other states the effect
    /// continues: only a new effect of this feedback cancels it.
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
