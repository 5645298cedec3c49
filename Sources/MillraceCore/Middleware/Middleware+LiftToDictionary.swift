// SPDX-License-Identifier: Apache-2.0

extension MiddlewareProtocol {
    /// Adapts this middleware to the values of a dictionary, each addressed by its key.
    ///
    /// See ``LiftToElementMiddleware`` for the behaviour if a key does not exist.
    @preconcurrency
    @inlinable
    public func liftToDictionary<GlobalInput, GlobalOutput, GlobalState, Key>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<Key, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<Key, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> [Key: StateType],
        vanished: VanishedElement = .skip
    ) -> LiftToElementMiddleware<GlobalInput, GlobalOutput, GlobalState, Key, Self> {
        LiftToElementMiddleware(
            self,
            ElementAxes(
                input: { inputAction($0).map { ($0.id, $0.action) } },
                output: { outputAction(ElementIDAction(id: $1, action: $2)) },
                element: { state($0)[$1] }
            ),
            vanished: vanished
        )
    }
}

extension MiddlewareProtocol where InputActionType == OutputActionType {
    /// Adapts this middleware to the values of a dictionary, each addressed by its key, with key paths.
    ///
    /// A dispatched action is written into a copy of the handled action. If the key path ignores the action, the copy
    /// is not dispatched.
    @inlinable
    public func liftToDictionary<GlobalAction, GlobalState, Key>(
        action: WritableKeyPath<GlobalAction, ElementIDAction<Key, InputActionType>?>,
        stateDictionary: KeyPath<GlobalState, [Key: StateType]>,
        vanished: VanishedElement = .skip
    ) -> LiftToElementMiddleware<GlobalAction, GlobalAction, GlobalState, Key, Self> {
        let input = PathReader(action)
        let output = CheckedWriter(action)
        let state = PathReader(stateDictionary)
        return LiftToElementMiddleware(
            self,
            ElementAxes(
                input: { input.read($0).map { ($0.id, $0.action) } },
                output: { output.writing(ElementIDAction(id: $1, action: $2), into: $0) },
                element: { state.read($0)[$1] }
            ),
            vanished: vanished
        )
    }
}
