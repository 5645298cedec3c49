// SPDX-License-Identifier: Apache-2.0

extension Reducer {
    /// Adapts this reducer to larger action and state types, with a getter and a setter for the state.
    ///
    /// If `actionGetter` returns nil, no other closure is called. Otherwise the part is copied, reduced, and written
    /// back with `stateSetter`, even if it did not change.
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

    /// Adapts this reducer to larger action and state types; it changes its part of the state in place.
    ///
    /// ```swift
    /// let app: Reducer<AppAction, AppState> = auth.lift(action: \.auth, state: \.auth)
    /// ```
    ///
    /// If `action` returns nil, the state is not touched. The key path of a stored property costs nothing; other key
    /// paths are evaluated at every action.
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

    /// Overload for a key path value. A key path literal selects the overload that takes a closure.
    @_disfavoredOverload
    @inlinable
    public func lift<GlobalAction, GlobalState>(
        action: KeyPath<GlobalAction, ActionType?>,
        state: WritableKeyPath<GlobalState, StateType>
    ) -> Reducer<GlobalAction, GlobalState> {
        let action = PathReader(action)
        return lift(action: { action.read($0) }, state: state)
    }

    /// Adapts this reducer to a larger state type; it changes its part of the state in place.
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

    /// Adapts this reducer to a larger action type. If `action` returns nil, the state is not touched.
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

    /// Overload for a key path value. A key path literal selects the overload that takes a closure.
    @_disfavoredOverload
    @inlinable
    public func lift<GlobalAction>(
        action: KeyPath<GlobalAction, ActionType?>
    ) -> Reducer<GlobalAction, StateType> {
        let action = PathReader(action)
        return lift(action: { action.read($0) })
    }
}
