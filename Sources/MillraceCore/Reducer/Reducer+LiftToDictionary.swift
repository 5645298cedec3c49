// SPDX-License-Identifier: Apache-2.0

extension Reducer {
    /// A reducer of the values of a dictionary, each addressed by its key.
    ///
    /// ```swift
    /// let sessions: Reducer<AppAction, AppState> =
    ///     session.liftToDictionary(action: \.session, stateDictionary: \.sessions)
    /// ```
    ///
    /// The value is changed in place. When the action is none of its own or there is no such key nothing happens: it
    /// neither inserts nor removes.
    ///
    /// **Cost.** The key is looked up once, and nothing is allocated, when the dictionary is a stored property; one that
    /// is computed or observed is copied and written back.
    @preconcurrency
    @inlinable
    public func liftToDictionary<GlobalAction, GlobalState, Key>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<Key, ActionType>?,
        stateDictionary: WritableKeyPath<GlobalState, [Key: StateType]>
    ) -> Reducer<GlobalAction, GlobalState> {
        if isIdentity { return .identity }
        let reduce = reduce
        let dictionary = PathWriter(stateDictionary)
        return .unchecked { globalAction, globalState in
            guard let element = action(globalAction) else { return }
            dictionary.modify(&globalState, at: { $0.index(forKey: element.id) }) {
                reduce(element.action, &$0.values[$1])
            }
        }
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @inlinable
    public func liftToDictionary<GlobalAction, GlobalState, Key>(
        action: KeyPath<GlobalAction, ElementIDAction<Key, ActionType>?>,
        stateDictionary: WritableKeyPath<GlobalState, [Key: StateType]>
    ) -> Reducer<GlobalAction, GlobalState> {
        liftToDictionary(action: PathReader(action).closure, stateDictionary: stateDictionary)
    }
}
