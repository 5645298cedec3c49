// SPDX-License-Identifier: Apache-2.0

extension Reducer where StateType: Identifiable {
    /// A reducer of the elements of a collection, each addressed by its id.
    ///
    /// ```swift
    /// let todos: Reducer<AppAction, AppState> = todo.liftToCollection(action: \.todo, stateCollection: \.todos)
    /// ```
    ///
    /// The element is changed in place: the others, their order and the storage are not touched. When the action is
    /// none of its own or there is no such element nothing happens. Of several with the same id the first is changed.
    ///
    /// **Cost.** A search from the first element on: use a ``KeyedCollection``, such as ``KeyedArray``, where there are
    /// many. The collection should be a stored property: one that is computed or observed is copied and written back.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<StateType.ID, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        liftToElement(action: action, stateCollection: stateCollection, search: ElementSearch { $0.id })
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: KeyPath<GlobalAction, ElementIDAction<StateType.ID, ActionType>?>,
        stateCollection: WritableKeyPath<GlobalState, Elements>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        liftToCollection(action: PathReader(action).closure, stateCollection: stateCollection)
    }
}

extension Reducer {
    /// A reducer of the elements of a collection, each addressed by what a key path finds in it.
    ///
    /// Otherwise as with ids. It always searches from the first element on.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection, ID: Hashable>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<ID, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>,
        identifier: KeyPath<StateType, ID>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        let identifier = PathReader(identifier)
        return liftToElement(
            action: action,
            stateCollection: stateCollection,
            search: .comparing { identifier.read($0) }
        )
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection, ID: Hashable>(
        action: KeyPath<GlobalAction, ElementIDAction<ID, ActionType>?>,
        stateCollection: WritableKeyPath<GlobalState, Elements>,
        identifier: KeyPath<StateType, ID>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        liftToCollection(
            action: PathReader(action).closure,
            stateCollection: stateCollection,
            identifier: identifier
        )
    }

    /// A reducer of the elements of a collection, each addressed by its index.
    ///
    /// The element is changed in place. When the action is none of its own or the collection has no such index nothing
    /// happens.
    ///
    /// **Cost.** Constant where the collection's indices are a range, as in an array. Elsewhere the indices are walked
    /// to see whether the index is one of them; and an index which its own type refuses to compare, as an old one of a
    /// dictionary, still traps.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: @escaping @Sendable (GlobalAction) -> ElementIndexAction<Elements.Index, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        if isIdentity { return .identity }
        let reduce = reduce
        let elements = PathWriter(stateCollection)
        return .unchecked { globalAction, globalState in
            guard let element = action(globalAction) else { return }
            elements.modify(&globalState, at: { $0.indices.contains(element.index) ? element.index : nil }) {
                reduce(element.action, &$0[$1])
            }
        }
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: KeyPath<GlobalAction, ElementIndexAction<Elements.Index, ActionType>?>,
        stateCollection: WritableKeyPath<GlobalState, Elements>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        liftToCollection(action: PathReader(action).closure, stateCollection: stateCollection)
    }

    @inlinable
    func liftToElement<GlobalAction, GlobalState, Elements: MutableCollection, ID>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<ID, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>,
        search: ElementSearch<Elements, ID>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        if isIdentity { return .identity }
        let reduce = reduce
        let elements = PathWriter(stateCollection)
        return .unchecked { globalAction, globalState in
            guard let element = action(globalAction) else { return }
            elements.modify(&globalState, at: { search.find($0, element.id) }) { reduce(element.action, &$0[$1]) }
        }
    }
}
