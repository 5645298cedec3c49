// SPDX-License-Identifier: Apache-2.0

extension Reducer where StateType: Identifiable {
    /// Adapts this reducer to the elements of a collection, each addressed by its id.
    ///
    /// ```swift
    /// let todos: Reducer<AppAction, AppState> = todo.liftToCollection(action: \.todo, stateCollection: \.todos)
    /// ```
    ///
    /// The element is changed in place: the other elements, their order and the storage are not touched. If `action`
    /// returns nil, nothing happens. If no element has the id, `unknown` decides: see ``UnknownElement``. A collection
    /// that is not a `RangeReplaceableCollection` cannot insert. If several elements have the id, the first is changed.
    ///
    /// **Cost.** A search from the first element. For many elements, use a ``KeyedCollection`` such as ``KeyedArray``.
    /// The collection should be a stored property: a computed or observed property is copied and written back.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<StateType.ID, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>,
        unknown: UnknownElement<StateType.ID, StateType> = .ignore
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        liftToElement(
            action: action,
            stateCollection: stateCollection,
            search: ElementSearch { $0.id },
            unknown: unknown
        )
    }

    /// Overload for a key path value. A key path literal selects the overload that takes a closure.
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
    /// Adapts this reducer to the elements of a collection, each addressed by the value of a key path.
    ///
    /// Otherwise the same as with ids, but it always searches from the first element.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection, ID: Hashable>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<ID, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>,
        identifier: KeyPath<StateType, ID>,
        unknown: UnknownElement<ID, StateType> = .ignore
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        let identifier = PathReader(identifier)
        return liftToElement(
            action: action,
            stateCollection: stateCollection,
            search: .comparing { identifier.read($0) },
            unknown: unknown
        )
    }

    /// Overload for a key path value. A key path literal selects the overload that takes a closure.
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

    /// Adapts this reducer to the elements of a collection, each addressed by its index.
    ///
    /// The element is changed in place. If `action` returns nil, nothing happens. If the collection does not have the
    /// index, `unknown` decides; an inserted element is appended.
    ///
    /// **Cost.** Constant if the collection's indices are a range, as in an array. Otherwise the index is searched in
    /// the collection's indices. An index that its own type refuses to compare, such as an old index of a dictionary,
    /// still traps.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: @escaping @Sendable (GlobalAction) -> ElementIndexAction<Elements.Index, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>,
        unknown: UnknownElement<Elements.Index, StateType> = .ignore
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
                at: { $0.indices.contains(element.index) ? element.index : nil },
                { reduce(element.action, &$0[$1]) },
                new: { unmatched.element(element.index, reducing: element.action, reduce) },
                insert: { appender?.append(&$0, $1) }
            )
        }
    }

    /// Overload for a key path value. A key path literal selects the overload that takes a closure.
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
        search: ElementSearch<Elements, ID>,
        unknown: UnknownElement<ID, StateType>
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
                at: { search.find($0, element.id) },
                { reduce(element.action, &$0[$1]) },
                new: { unmatched.element(element.id, reducing: element.action, reduce) },
                insert: { appender?.append(&$0, $1) }
            )
        }
    }
}
