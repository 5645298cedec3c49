// SPDX-License-Identifier: Apache-2.0

extension Reducer {
    /// A reducer of a state that is not always there.
    ///
    /// ```swift
    /// let editor: Reducer<AppAction, AppState> = document.liftToOptional(action: \.document, state: \.openDocument)
    /// ```
    ///
    /// The state is changed in place. When the action is none of its own or the state is nil nothing happens, and
    /// nothing is written. A property that stands for a case of an enumeration will do as well:
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
    /// **Cost.** That of an addition and a branch for a stored property; one that is computed or observed is read, and
    /// its copy written back.
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
            // What is found is not nil.
            part.modify(&globalState, at: { $0 == nil ? nil : () }) { part, _ in reduce(action, &part!) }
        }
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @inlinable
    public func liftToOptional<GlobalAction, GlobalState>(
        action: KeyPath<GlobalAction, ActionType?>,
        state: WritableKeyPath<GlobalState, StateType?>
    ) -> Reducer<GlobalAction, GlobalState> {
        liftToOptional(action: PathReader(action).closure, state: state)
    }

    /// A reducer of the same actions and a state that is not always there.
    @inlinable
    public func liftToOptional<GlobalState>(
        state: WritableKeyPath<GlobalState, StateType?>
    ) -> Reducer<ActionType, GlobalState> {
        liftToOptional(action: { $0 }, state: state)
    }
}
