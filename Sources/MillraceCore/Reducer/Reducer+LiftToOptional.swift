// SPDX-License-Identifier: Apache-2.0

extension Reducer {
    /// Adapts this reducer to an optional state.
    ///
    /// ```swift
    /// let editor: Reducer<AppAction, AppState> = document.liftToOptional(action: \.document, state: \.openDocument)
    /// ```
    ///
    /// The state is changed in place. If `action` returns nil or the state is nil, nothing happens and nothing is
    /// written. For a key path that is a value, lift twice: `document.liftToOptional(state: …).lift(action: path)`. A
    /// property that stands for a case of an enumeration works as well:
    ///
    /// ```swift
    /// enum Screen {
    ///     case start
    ///     case game(Game)
    ///
    ///     var game: Game? {
    ///         get { if case .game(let game) = self { game } else { nil } }
    ///         set { if case .game = self, let newValue { self = .game(newValue) } }
    ///     }
    /// }
    /// let screen: Reducer<GameAction, Screen> = game.liftToOptional(state: \.game)
    /// ```
    ///
    /// **Cost.** One addition and one branch for a stored property. A computed or observed property is read, and its
    /// copy is written back.
    @preconcurrency
    @inlinable
    public func liftToOptional<GlobalAction, GlobalState>(
        action: @escaping @Sendable (GlobalAction) -> ActionType?,
        state: WritableKeyPath<GlobalState, StateType?>
    ) -> Reducer<GlobalAction, GlobalState> {
        if isIdentity { return .identity }
        let reduce = reduce
        let part = PathWriter(state)
        return .reduce { globalAction, globalState in
            guard let action = action(globalAction) else { return }
            // The part is not nil: the closure before has checked it.
            part.modify(&globalState, at: { $0 == nil ? nil : () }) { part, _ in reduce(action, &part!) }
        }
    }

    /// Adapts this reducer to an optional state, with the same actions.
    @inlinable
    public func liftToOptional<GlobalState>(
        state: WritableKeyPath<GlobalState, StateType?>
    ) -> Reducer<ActionType, GlobalState> {
        liftToOptional(action: { $0 }, state: state)
    }
}
