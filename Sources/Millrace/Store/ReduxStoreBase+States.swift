// SPDX-License-Identifier: Apache-2.0

extension ReduxStoreBase where StateType: Sendable {
    /// The states, for `for await`: of those that wait only the latest is kept, so that a slow consumer skips some.
    ///
    /// ```swift
    /// for await state in store.states {
    ///     render(state)
    /// }
    /// ```
    ///
    /// ``StateSequence`` says when it begins and ends, and what it costs.
    public final var states: StateSequence<StateType> { states(.latest) }

    /// The states, for `for await`, with a choice of what is kept for a slow consumer.
    ///
    /// ```swift
    /// let states = store.states(.bufferingNewest(16), onDrop: { print("\($0) states missing") })
    /// ```
    ///
    /// With ``Publication/everyAction`` and ``StateBuffering/bufferingAll`` it gives the state after every action.
    ///
    /// - Parameters:
    ///   - buffering: What is kept of states that wait, and what is dropped.
    ///   - onDrop: Is told of every gap, at its place, with the number of states missing; on the consumer's task.
    public final func states(
        _ buffering: StateBuffering,
        onDrop: (@Sendable (Int) -> Void)? = nil
    ) -> StateSequence<StateType> {
        StateSequence(buffering: buffering, onDrop: onDrop) { [weak core] push in core?.subscribe(push) }
    }
}

extension ReduxStoreBase {
    /// A part of the state, for `for await`: its value now, then whenever it has changed.
    ///
    /// ```swift
    /// for await user in store.states(select: \.user, removeDuplicates: { $0.id == $1.id }) {
    ///     greet(user)
    /// }
    /// ```
    ///
    /// `select` and `removeDuplicates` run on the pipeline's thread, as in ``subscribe(select:removeDuplicates:_:)``:
    /// duplicates are removed before anything is dropped. So two elements in a row may be equal, if one between them
    /// was dropped.
    ///
    /// - Parameters:
    ///   - buffering: What is kept of values that wait, and what is dropped.
    ///   - select: The part, from a state: a closure, or a key path written in place.
    ///   - isDuplicate: Given the value before and the new one, whether to leave the new one out.
    ///   - onDrop: Is told of every gap, at its place, with the number of values missing; on the consumer's task.
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

    /// A part of the state, for `for await`: its value now, then whenever it is no longer equal to the last one.
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
