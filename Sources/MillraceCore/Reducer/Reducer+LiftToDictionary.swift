// SPDX-License-Identifier: Apache-2.0

extension Reducer {
    /// Adapts this reducer to the values of a dictionary, each addressed by its key.
    ///
    /// ```swift
    /// let sessions: Reducer<AppAction, AppState> =
    ///     session.liftToDictionary(action: \.session, stateDictionary: \.sessions)
    /// ```
    ///
    /// The value is changed in place. If `action` returns nil, nothing happens. If the dictionary does not have the
    /// key, `unknown` decides: see ``UnknownElement``. Values are not removed. For a key path that is a value, lift
    /// twice: `session.liftToDictionary(action: { $0 }, stateDictionary: …).lift(action: path)`.
    ///
    /// **Cost.** If the dictionary is a stored property, the key is looked up once and nothing is allocated. A computed
    /// or observed property is copied and written back.
    @preconcurrency
    @inlinable
    public func liftToDictionary<GlobalAction, GlobalState, Key>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<Key, ActionType>?,
        stateDictionary: WritableKeyPath<GlobalState, [Key: StateType]>,
        unknown: UnknownElement<Key, StateType> = .ignore
    ) -> Reducer<GlobalAction, GlobalState> {
        if isIdentity, unknown.isIgnore { return .identity }
        let reduce = reduce
        let dictionary = PathWriter(stateDictionary)
        let unmatched = UnmatchedLift(unknown, stateDictionary)
        return .unchecked { globalAction, globalState in
            guard let element = action(globalAction) else { return }
            dictionary.modify(
                &globalState,
                at: { $0.index(forKey: element.id) },
                { reduce(element.action, &$0.values[$1]) },
                new: { unmatched.element(element.id, reducing: element.action, reduce) },
                insert: { $0[element.id] = $1 }
            )
        }
    }
}
