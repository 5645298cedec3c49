// SPDX-License-Identifier: Apache-2.0

// The feedbacks of Feedback+Controls.swift, with asynchronous closures as effects. A closure returns an event, or nil
// for none. It runs in a task of its own, which is cancelled with the effect. The loop ignores what a cancelled closure
// returns.
extension Feedback {
    /// Creates a feedback that runs a closure at every state, and cancels the closure of the previous state.
    @inlinable
    public init(effect: @escaping @Sendable (State) async -> Event?) {
        self.init(effects: { state in .task { _ in await effect(state) } })
    }

    /// Creates a feedback that begins an effect when its control is not equal to the previous one: a closure that
    /// returns an event.
    @inlinable
    public init<Control: Equatable & Sendable>(
        skippingRepeated control: @escaping @Sendable (State) -> Control?,
        effect: @escaping @Sendable (Control) async -> Event?
    ) {
        self.init(skippingRepeated: control, effects: { control in .task { _ in await effect(control) } })
    }

    /// Creates a feedback that begins an effect at every state whose control is not nil: a closure that returns an
    /// event.
    @inlinable
    public init<Control: Sendable>(
        lensing control: @escaping @Sendable (State) -> Control?,
        effect: @escaping @Sendable (Control) async -> Event?
    ) {
        self.init(lensing: control, effects: { control in .task { _ in await effect(control) } })
    }

    /// Creates a feedback that begins an effect at every state for which a predicate is true: a closure that returns an
    /// event.
    @inlinable
    public init(
        predicate: @escaping @Sendable (State) -> Bool,
        effect: @escaping @Sendable (State) async -> Event?
    ) {
        self.init(predicate: predicate, effects: { state in .task { _ in await effect(state) } })
    }

    /// Creates a feedback that begins an effect when a predicate becomes true: a closure that returns an event.
    @inlinable
    public init(
        whenBecomesTrue predicate: @escaping @Sendable (State) -> Bool,
        effect: @escaping @Sendable (State) async -> Event?
    ) {
        self.init(whenBecomesTrue: predicate, effects: { state in .task { _ in await effect(state) } })
    }

    /// Creates a feedback that begins an effect when its control changes from nil to a value: a closure that returns an
    /// event.
    @inlinable
    public init<Control: Sendable>(
        firstValueAfterNil control: @escaping @Sendable (State) -> Control?,
        effect: @escaping @Sendable (Control) async -> Event?
    ) {
        self.init(firstValueAfterNil: control, effects: { control in .task { _ in await effect(control) } })
    }

    /// Creates a feedback that begins an effect at every state whose control is not nil: a closure that returns an
    /// event.
    @inlinable
    public init<Control: Sendable>(
        compacting control: @escaping @Sendable (State) -> Control?,
        effect: @escaping @Sendable (Control) async -> Event?
    ) {
        self.init(compacting: control, effects: { control in .task { _ in await effect(control) } })
    }
}
