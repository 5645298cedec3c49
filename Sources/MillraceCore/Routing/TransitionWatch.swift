// SPDX-License-Identifier: Apache-2.0

/// The use of one rule of a ``StateMachineMiddleware`` in one store.
@usableFromInline
struct TransitionWatch<OutputActionType, StateType>: Sendable {
    /// Stores the value before the reducers.
    @usableFromInline let before: @Sendable (StateType) -> Void
    /// Compares this value with the value after the reducers; returns the action to dispatch after a transition.
    @usableFromInline let after: @Sendable (StateType) -> OutputActionType?

    @inlinable
    init<Value: Equatable & Sendable>(
        _ value: PathReader<StateType, Value>,
        from: TransitionEnd<Value>,
        to: TransitionEnd<Value>,
        dispatch: @escaping @Sendable () -> OutputActionType
    ) {
        let memory = TransitionMemory<Value>()
        before = { state in
            let before = value.read(state)
            memory.before = from.matches(before) ? before : nil
        }
        after = { state in
            // Removed at once: an `afterReduce` without a `handle` before it must not see an older value.
            guard let before = memory.before.take() else { return nil }
            let after = value.read(state)
            return before != after && to.matches(after) ? dispatch() : nil
        }
    }
}

/// The value before the reducers, if it fulfils the rule's `from`.
@usableFromInline
final class TransitionMemory<Value: Equatable & Sendable>: @unchecked Sendable {
    // Unchecked: only the pipeline's thread of the store to which the middleware is bound uses it.
    @usableFromInline var before: Value?

    @inlinable
    init() {}
}
