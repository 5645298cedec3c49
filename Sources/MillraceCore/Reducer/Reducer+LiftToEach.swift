// SPDX-License-Identifier: Apache-2.0

extension Reducer {
    /// A reducer of all elements of a collection: each action goes to every one of them, in order.
    ///
    /// ```swift
    /// let clock: Reducer<AppAction, AppState> = timer.liftToEach(action: \.tick, stateCollection: \.timers)
    /// ```
    ///
    /// The elements are changed in place. When the action is none of its own nothing happens.
    @preconcurrency
    @inlinable
    public func liftToEach<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: @escaping @Sendable (GlobalAction) -> ActionType?,
        stateCollection: WritableKeyPath<GlobalState, Elements>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        if isIdentity { return .identity }
        let reduce = reduce
        let elements = PathWriter(stateCollection)
        return .unchecked { globalAction, globalState in
            guard let action = action(globalAction) else { return }
            elements.modify(&globalState, at: { $0.isEmpty ? nil : $0.startIndex }) { elements, start in
                var index = start
                while index != elements.endIndex {
                    reduce(action, &elements[index])
                    elements.formIndex(after: &index)
                }
            }
        }
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @inlinable
    public func liftToEach<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: KeyPath<GlobalAction, ActionType?>,
        stateCollection: WritableKeyPath<GlobalState, Elements>
    ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == StateType {
        liftToEach(action: PathReader(action).closure, stateCollection: stateCollection)
    }

    /// A reducer of all values of a dictionary: each action goes to every one of them, in the dictionary's order.
    @preconcurrency
    @inlinable
    public func liftToEach<GlobalAction, GlobalState, Key>(
        action: @escaping @Sendable (GlobalAction) -> ActionType?,
        stateDictionary: WritableKeyPath<GlobalState, [Key: StateType]>
    ) -> Reducer<GlobalAction, GlobalState> {
        if isIdentity { return .identity }
        let reduce = reduce
        let dictionary = PathWriter(stateDictionary)
        return .unchecked { globalAction, globalState in
            guard let action = action(globalAction) else { return }
            dictionary.modify(&globalState, at: { $0.isEmpty ? nil : $0.startIndex }) { dictionary, start in
                var index = start
                while index != dictionary.endIndex {
                    reduce(action, &dictionary.values[index])
                    dictionary.formIndex(after: &index)
                }
            }
        }
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @inlinable
    public func liftToEach<GlobalAction, GlobalState, Key>(
        action: KeyPath<GlobalAction, ActionType?>,
        stateDictionary: WritableKeyPath<GlobalState, [Key: StateType]>
    ) -> Reducer<GlobalAction, GlobalState> {
        liftToEach(action: PathReader(action).closure, stateDictionary: stateDictionary)
    }
}
