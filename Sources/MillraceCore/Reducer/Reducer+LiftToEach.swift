// SPDX-License-Identifier: Apache-2.0

extension Reducer {
    /// Adapts this reducer to all elements of a collection: it reduces each action on every element, in order.
    ///
    /// ```swift
    /// let clock: Reducer<AppAction, AppState> = timer.liftToEach(action: \.tick, stateCollection: \.timers)
    /// ```
    ///
    /// The elements are changed in place. If `action` returns nil, nothing happens. For a key path that is a value,
    /// lift twice: `timer.liftToEach(action: { $0 }, stateCollection: …).lift(action: path)`.
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

    /// Adapts this reducer to all values of a dictionary: it reduces each action on every value, in the dictionary's
    /// order.
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
}
