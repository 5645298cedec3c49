// SPDX-License-Identifier: Apache-2.0

extension ReduxStoreBase where StateType: Sendable {
    /// The published states, for `for await`. Of the states that wait only the latest is kept, so a slow loop skips
    /// some.
    ///
    /// ```swift
    /// for await state in store.states {
    ///     render(state)
    /// }
    /// ```
    ///
    /// ``StateSequence`` says when the sequence begins and ends, and what it costs.
    public final var states: StateSequence<StateType> { states(.latest) }

    /// Returns the published states, for `for await`, with a buffering policy for slow loops.
    ///
    /// ```swift
    /// let states = store.states(.bufferingNewest(16), onDrop: { print("\($0) states missing") })
    /// ```
    ///
    /// With ``Publication/everyAction`` and ``StateBuffering/bufferingAll`` the sequence has the state after every
    /// action.
    ///
    /// - Parameters:
    ///   - buffering: The policy that decides which waiting states are kept and which are dropped.
    ///   - onDrop: A closure that is called for every gap, before the element that follows it, with the number of
    ///     missing states. It runs on the task that iterates.
    public final func states(
        _ buffering: StateBuffering,
        onDrop: (@Sendable (Int) -> Void)? = nil
    ) -> StateSequence<StateType> {
        StateSequence(buffering: buffering, onDrop: onDrop) { [weak core] push in core?.subscribe(push) }
    }
}

extension ReduxStoreBase {
    /// Returns the values of a part of the state, for `for await`: the value now, then each new value when it has
    /// changed.
    ///
    /// ```swift
    /// for await user in store.states(select: \.user, removeDuplicates: { $0.id == $1.id }) {
    ///     greet(user)
    /// }
    /// ```
    ///
    /// `select` and `removeDuplicates` run on the pipeline's thread, as in ``subscribe(select:removeDuplicates:_:)``.
    /// Duplicates are removed before values are dropped, so two elements in a row may be equal if a value between them
    /// was dropped.
    ///
    /// - Parameters:
    ///   - buffering: The policy that decides which waiting values are kept and which are dropped.
    ///   - select: A closure, or a key path literal, that returns the part of a state.
    ///   - isDuplicate: A closure that gets the value before and the new value. If it returns true, the new value is
    ///     left out.
    ///   - onDrop: A closure that is called for every gap, before the element that follows it, with the number of
    ///     missing values. It runs on the task that iterates.
    public final func states<Value: Sendable>(
        _ buffering: StateBuffering = .latest,
        select: @escaping @Sendable (StateType) -> Value,
        removeDuplicates isDuplicate: @escaping @Sendable (Value, Value) -> Bool,
        onDrop: (@Sendable (Int) -> Void)? = nil
    ) -> StateSequence<Value> {
        StateSequence(buffering: buffering, onDrop: onDrop) { [weak core] push in
            core?.subscribe(select: select, removeDuplicates: isDuplicate, push)
        }
    }

    /// Returns the values of a part of the state, for `for await`: the value now, then each value that is not equal to
    /// the one before.
    ///
    /// ```swift
    /// for await count in store.states(select: \.count) {
    ///     print(count)
    /// }
    /// ```
    public final func states<Value: Sendable & Equatable>(
        _ buffering: StateBuffering = .latest,
        select: @escaping @Sendable (StateType) -> Value,
        onDrop: (@Sendable (Int) -> Void)? = nil
    ) -> StateSequence<Value> {
        states(buffering, select: select, removeDuplicates: { $0 == $1 }, onDrop: onDrop)
    }
}
