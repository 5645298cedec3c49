// SPDX-License-Identifier: Apache-2.0

/// A rule of a ``StateMachineMiddleware`` at work in one store.
@usableFromInline
struct TransitionWatch<OutputActionType, StateType>: Sendable {
    /// Remembers the value before the reducers.
    @usableFromInline let before: @Sendable (StateType) -> Void
    /// Compares it with the one after them; gives what to dispatch if the rule's transition took place.
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
            // Forgotten at once: who is told of the end of an action without its start must not see an older one.
            guard let before = memory.before.take() else { return nil }
            let after = value.read(state)
            return before != after && to.matches(after) ? dispatch() : nil
        }
    }
}

/// The value before the reducers, if the rule is about it.
@usableFromInline
final class TransitionMemory<Value: Equatable & Sendable>: @unchecked Sendable {
    // Unchecked: only the pipeline's thread of the store that the middleware is bound to comes here.
    @usableFromInline var before: Value?

    @inlinable
    init() {}
}
