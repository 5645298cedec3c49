// SPDX-License-Identifier: Apache-2.0

extension Reducer {
    /// Adapts this reducer to the associated value of one case of an enumeration.
    ///
    /// ```swift
    /// let screen: Reducer<AppAction, Screen> = game.liftToCase(
    ///     action: \.game,
    ///     extract: { if case .game(let game) = $0 { game } else { nil } },
    ///     embed: Screen.game
    /// )
    /// ```
    ///
    /// If `action` returns nil or the state is another case, nothing happens and nothing is written. For a key path
    /// that is a value, lift twice: `game.liftToCase(extract: …, embed: …).lift(action: path)`.
    ///
    /// **Cost.** The value is moved out of the enumeration while it is reduced, and back with `embed`. So a container
    /// in it is changed in place, if `extract` returns the value as it is.
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
            // Destroyed before the reducer changes its part: the enumeration would still hold the part's containers,
            // and the reducer would copy them. Nothing throws until it is there again.
            withUnsafeMutablePointer(to: &globalState) { place in
                place.deinitialize(count: 1)
                reduce(action, &state)
                place.initialize(to: embed(state))
            }
        }
    }

    /// Adapts this reducer to the associated value of one case of an enumeration, with the same actions.
    @preconcurrency
    @inlinable
    public func liftToCase<GlobalState>(
        extract: @escaping @Sendable (GlobalState) -> StateType?,
        embed: @escaping @Sendable (StateType) -> GlobalState
    ) -> Reducer<ActionType, GlobalState> {
        liftToCase(action: { $0 }, extract: extract, embed: embed)
    }
}
