// SPDX-License-Identifier: Apache-2.0

extension MiddlewareProtocol {
    /// Adapts this middleware to larger action types and an optional state.
    ///
    /// `state` may be a property or function that returns the value of a case of an enumeration. See
    /// ``LiftToElementMiddleware`` for the behaviour if the state is nil.
    @preconcurrency
    @inlinable
    public func liftToOptional<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType?,
        vanished: VanishedElement = .skip
    ) -> LiftToElementMiddleware<GlobalInput, GlobalOutput, GlobalState, Void, Self> {
        LiftToElementMiddleware(
            self,
            ElementAxes(
                input: { inputAction($0).map { ((), $0) } },
                output: { _, _, action in outputAction(action) },
                element: { globalState, _ in state(globalState) }
            ),
            vanished: vanished
        )
    }

    /// Adapts this middleware to an optional state, with the same actions.
    @preconcurrency
    @inlinable
    public func liftToOptional<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType?,
        vanished: VanishedElement = .skip
    ) -> LiftToElementMiddleware<InputActionType, OutputActionType, GlobalState, Void, Self> {
        liftToOptional(inputAction: { $0 }, outputAction: { $0 }, state: state, vanished: vanished)
    }
}
