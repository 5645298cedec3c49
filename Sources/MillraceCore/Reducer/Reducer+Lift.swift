// SPDX-License-Identifier: Apache-2.0

extension Reducer {
    /// A reducer of larger actions and a larger state, by a getter and a setter.
    ///
    /// When `actionGetter` gives nil nothing else is called. Otherwise the part is copied out, reduced, and written
    /// back through `stateSetter`, also when it did not change.
    @preconcurrency
    @inlinable
    public func lift<GlobalAction, GlobalState>(
        actionGetter: @escaping @Sendable (GlobalAction) -> ActionType?,
        stateGetter: @escaping @Sendable (GlobalState) -> StateType,
        stateSetter: @escaping @Sendable (inout GlobalState, StateType) -> Void
    ) -> Reducer<GlobalAction, GlobalState> {
        if isIdentity { return .identity }
        let reduce = reduce
        return .reduce { globalAction, globalState in
            guard let action = actionGetter(globalAction) else { return }
            var state = stateGetter(globalState)
            reduce(action, &state)
            stateSetter(&globalState, state)
        }
    }

    /// A reducer of larger actions and a larger state, which changes its part of the state in place.
    ///
    /// ```swift
    /// let app: Reducer<AppAction, AppState> = auth.lift(action: \.auth, state: \.auth)
    /// ```
    ///
    /// When `action` gives nil the state is not touched. A stored property of the state costs nothing; other key paths
    /// are walked at every action.
    @preconcurrency
    @inlinable
    public func lift<GlobalAction, GlobalState>(
        action: @escaping @Sendable (GlobalAction) -> ActionType?,
        state: WritableKeyPath<GlobalState, StateType>
    ) -> Reducer<GlobalAction, GlobalState> {
        if isIdentity { return .identity }
        let reduce = reduce
        let part = PathWriter(state)
        return .reduce { globalAction, globalState in
            guard let action = action(globalAction) else { return }
            part.modify(&globalState) { reduce(action, &$0) }
        }
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @inlinable
    public func lift<GlobalAction, GlobalState>(
        action: KeyPath<GlobalAction, ActionType?>,
        state: WritableKeyPath<GlobalState, StateType>
    ) -> Reducer<GlobalAction, GlobalState> {
        let action = PathReader(action)
        return lift(action: { action.read($0) }, state: state)
    }

    /// A reducer of the same actions and a larger state, which changes its part of the state in place.
    @inlinable
    public func lift<GlobalState>(
        state: WritableKeyPath<GlobalState, StateType>
    ) -> Reducer<ActionType, GlobalState> {
        if isIdentity { return .identity }
        let reduce = reduce
        let part = PathWriter(state)
        return .reduce { action, globalState in
            part.modify(&globalState) { reduce(action, &$0) }
        }
    }

    /// A reducer of larger actions and the same state. When `action` gives nil the state is not touched.
    @preconcurrency
    @inlinable
    public func lift<GlobalAction>(
        action: @escaping @Sendable (GlobalAction) -> ActionType?
    ) -> Reducer<GlobalAction, StateType> {
        if isIdentity { return .identity }
        let reduce = reduce
        return .reduce { globalAction, state in
            guard let action = action(globalAction) else { return }
            reduce(action, &state)
        }
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @inlinable
    public func lift<GlobalAction>(
        action: KeyPath<GlobalAction, ActionType?>
    ) -> Reducer<GlobalAction, StateType> {
        let action = PathReader(action)
        return lift(action: { action.read($0) })
    }
}
