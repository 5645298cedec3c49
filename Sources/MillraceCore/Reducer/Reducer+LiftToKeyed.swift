// SPDX-License-Identifier: Apache-2.0

// The function appears twice. The form for Identifiable elements does nothing more, but it is more specialised. So the
// compiler prefers it to the forms for any collection.

extension Reducer where StateType: Identifiable {
    /// Adapts this reducer to the elements of a keyed collection, each addressed by its id. No other element is
    /// examined.
    ///
    /// ```swift
    /// let todos: Reducer<AppAction, AppState> = todo.liftToCollection(action: \.todo, stateCollection: \.todos)
    /// ```
    ///
    /// If `action` returns nil, nothing happens. If no element has the id, `unknown` decides: see ``UnknownElement``.
    ///
    /// **Cost.** The same for any number of elements, apart from cache misses if the elements do not fit in the
    /// processor's caches. Nothing is allocated.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: KeyedCollection>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<StateType.ID, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>,
        unknown: UnknownElement<StateType.ID, StateType> = .ignore
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType, Elements.ID == StateType.ID {
        liftToKeyed(action: action, stateCollection: stateCollection, unknown: unknown)
    }
}

extension Reducer {
    /// Adapts this reducer to the elements of a keyed collection, which need not contain their ids.
    ///
    /// For a key path that is a value, lift twice: with `action: { $0 }`, and then the result with `lift(action:
    /// path)`.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: KeyedCollection>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<Elements.ID, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>,
        unknown: UnknownElement<Elements.ID, StateType> = .ignore
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        liftToKeyed(action: action, stateCollection: stateCollection, unknown: unknown)
    }

    @inlinable
    func liftToKeyed<GlobalAction, GlobalState, Elements: KeyedCollection>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<Elements.ID, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>,
        unknown: UnknownElement<Elements.ID, StateType>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        if isIdentity, unknown.isIgnore { return .identity }
        let reduce = reduce
        let elements = PathWriter(stateCollection)
        let appender = unknown.inserts ? ElementAppender<Elements>() : nil
        let unmatched = UnmatchedLift(unknown.inserts && appender == nil ? .ignore : unknown, stateCollection)
        return .unchecked { globalAction, globalState in
            guard let element = action(globalAction) else { return }
            elements.modify(
                &globalState,
                at: { $0.index(id: element.id) },
                { reduce(element.action, &$0[$1]) },
                new: { unmatched.element(element.id, reducing: element.action, reduce) },
                insert: { appender?.append(&$0, $1) }
            )
        }
    }
}
