// SPDX-License-Identifier: Apache-2.0

// Three axes: the actions, the state, the dependencies. The action axis has both directions. `inputAction` extracts
// this handler's action from a larger action, or returns nil. `outputAction` puts a dispatched action into a larger
// action. What has no function of its own is lifted twice: `lift(state:).lift(dependencies:)`.
extension Handler {
    /// Adapts this handler to larger action, state and dependency types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState, World>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: WritableKeyPath<GlobalState, StateType>,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> Handler<
        World, LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, MiddlewareType>
    > {
        Handler<World, LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, MiddlewareType>>(
            reducer: reducer.lift(action: inputAction, state: state),
            middleware: middleware.lifted(
                LiftAxes().input(inputAction).output(outputAction).state(path: state),
                dependencies: dependencies
            )
        )
    }

    /// Adapts this handler to larger action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: WritableKeyPath<GlobalState, StateType>
    ) -> Handler<
        Dependencies, LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, MiddlewareType>
    > {
        Handler<Dependencies, LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, MiddlewareType>>(
            reducer: reducer.lift(action: inputAction, state: state),
            middleware: middleware.lifted(
                LiftAxes().input(inputAction).output(outputAction).state(path: state),
                dependencies: { $0 }
            )
        )
    }

    /// Adapts this handler to a larger action type.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> Handler<
        Dependencies, LiftMiddleware<GlobalInput, GlobalOutput, StateType, MiddlewareType>
    > {
        Handler<Dependencies, LiftMiddleware<GlobalInput, GlobalOutput, StateType, MiddlewareType>>(
            reducer: reducer.lift(action: inputAction),
            middleware: middleware.lifted(
                LiftAxes().input(inputAction).output(outputAction),
                dependencies: { $0 }
            )
        )
    }

    /// Adapts this handler to a larger state type.
    @inlinable
    public func lift<GlobalState>(
        state: WritableKeyPath<GlobalState, StateType>
    ) -> Handler<
        Dependencies, LiftMiddleware<InputActionType, OutputActionType, GlobalState, MiddlewareType>
    > {
        Handler<Dependencies, LiftMiddleware<InputActionType, OutputActionType, GlobalState, MiddlewareType>>(
            reducer: reducer.lift(state: state),
            middleware: middleware.lifted(
                LiftAxes().state(path: state),
                dependencies: { $0 }
            )
        )
    }

    /// Adapts this handler to a larger dependency type.
    @preconcurrency
    @inlinable
    public func lift<World>(
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> Handler<World, MiddlewareType> {
        Handler<World, MiddlewareType>(
            reducer: reducer,
            middleware: middleware.contramapDependencies(dependencies)
        )
    }
}
