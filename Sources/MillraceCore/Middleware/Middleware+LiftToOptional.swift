// SPDX-License-Identifier: Apache-2.0

extension MiddlewareProtocol {
    /// This middleware at work in larger actions, on a state that is not always there.
    ///
    /// A property or function that gives the value of a case of an enumeration will do as `state`. See
    /// ``LiftToElementMiddleware`` for what happens when it is nil.
    @preconcurrency
    @inlinable
    public func liftToOptional<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType?
    ) -> LiftToElementMiddleware<GlobalInput, GlobalOutput, GlobalState, Void, Self> {
        LiftToElementMiddleware(
            self,
            ElementAxes(
                input: { inputAction($0).map { ((), $0) } },
                output: { _, _, action in outputAction(action) },
                element: { globalState, _ in state(globalState) }
            )
        )
    }

    /// This middleware at work in the same actions, on a state that is not always there.
    @preconcurrency
    @inlinable
    public func liftToOptional<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType?
    ) -> LiftToElementMiddleware<InputActionType, OutputActionType, GlobalState, Void, Self> {
        liftToOptional(inputAction: { $0 }, outputAction: { $0 }, state: state)
    }
}
