// SPDX-License-Identifier: Apache-2.0

extension Reducer {
    /// A reducer of the value in a case of an enumeration.
    ///
    /// ```swift
    /// let screen: Reducer<AppAction, Screen> = game.liftToCase(
    ///     action: \.game,
    ///     extract: { if case .game(let game) = $0 { game } else { nil } },
    ///     embed: Screen.game
    /// )
    /// ```
    ///
    /// When the action is none of its own or the state is another case nothing happens, and nothing is written.
    ///
    /// **Cost.** The value is copied out and written back: a container in it is copied when it is changed. Where it is
    /// large keep it beside the enumeration, and use `liftToOptional`.
    @preconcurrency
    @inlinable
    public func liftToCase<GlobalAction, GlobalState>(
        action: @escaping @Sendable (GlobalAction) -> ActionType?,
        extract: @escaping @Sendable (GlobalState) -> StateType?,
        embed: @escaping @Sendable (StateType) -> GlobalState
    ) -> Reducer<GlobalAction, GlobalState> {
        if isIdentity { return .identity }
        let reduce = reduce
        return .reduce { globalAction, globalState in
            guard let action = action(globalAction), var state = extract(globalState) else { return }
            reduce(action, &state)
            globalState = embed(state)
        }
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @preconcurrency
    @_disfavoredOverload
    @inlinable
    public func liftToCase<GlobalAction, GlobalState>(
        action: KeyPath<GlobalAction, ActionType?>,
        extract: @escaping @Sendable (GlobalState) -> StateType?,
        embed: @escaping @Sendable (StateType) -> GlobalState
    ) -> Reducer<GlobalAction, GlobalState> {
        liftToCase(action: PathReader(action).closure, extract: extract, embed: embed)
    }

    /// A reducer of the same actions and the value in a case of an enumeration.
    @preconcurrency
    @inlinable
    public func liftToCase<GlobalState>(
        extract: @escaping @Sendable (GlobalState) -> StateType?,
        embed: @escaping @Sendable (StateType) -> GlobalState
    ) -> Reducer<ActionType, GlobalState> {
        liftToCase(action: { $0 }, extract: extract, embed: embed)
    }
}
