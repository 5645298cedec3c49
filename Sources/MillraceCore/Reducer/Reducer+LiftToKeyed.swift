// SPDX-License-Identifier: Apache-2.0

// Twice each: the forms for Identifiable elements say nothing more, but are the more special ones where the forms for
// any collection would do as well.

extension Reducer where StateType: Identifiable {
    /// A reducer of the elements of a keyed collection, each addressed by its id; none but the addressed is looked at.
    ///
    /// ```swift
    /// let todos: Reducer<AppAction, AppState> = todo.liftToCollection(action: \.todo, stateCollection: \.todos)
    /// ```
    ///
    /// When the action is none of its own or there is no such element nothing happens.
    ///
    /// **Cost.** The same for any number of elements, but for the misses of the processor's caches where the elements
    /// do not fit them. Nothing is allocated.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: KeyedCollection>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<StateType.ID, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType, Elements.ID == StateType.ID {
        liftToKeyed(action: action, stateCollection: stateCollection)
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: KeyedCollection>(
        action: KeyPath<GlobalAction, ElementIDAction<StateType.ID, ActionType>?>,
        stateCollection: WritableKeyPath<GlobalState, Elements>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType, Elements.ID == StateType.ID {
        liftToKeyed(action: PathReader(action).closure, stateCollection: stateCollection)
    }
}

extension Reducer {
    /// A reducer of the elements of a keyed collection, which need not know their ids.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: KeyedCollection>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<Elements.ID, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        liftToKeyed(action: action, stateCollection: stateCollection)
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: KeyedCollection>(
        action: KeyPath<GlobalAction, ElementIDAction<Elements.ID, ActionType>?>,
        stateCollection: WritableKeyPath<GlobalState, Elements>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        liftToKeyed(action: PathReader(action).closure, stateCollection: stateCollection)
    }

    @inlinable
    func liftToKeyed<GlobalAction, GlobalState, Elements: KeyedCollection>(
        action: @escaping @Sendable (GlobalAction) -> ElementIDAction<Elements.ID, ActionType>?,
        stateCollection: WritableKeyPath<GlobalState, Elements>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        if isIdentity { return .identity }
        let reduce = reduce
        let elements = PathWriter(stateCollection)
        return .unchecked { globalAction, globalState in
            guard let element = action(globalAction) else { return }
            elements.modify(&globalState, at: { $0.index(id: element.id) }) { reduce(element.action, &$0[$1]) }
        }
    }
}
