// SPDX-License-Identifier: Apache-2.0

// One function for each non-empty set of three axes: the actions, the state, the dependencies. The actions take both
// directions at once: what comes is taken out of a larger action (or is not for this handler), what is dispatched is put
// into one.
extension Handler {
    /// The handler at work in larger actions, a larger state and larger dependencies.
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

    /// The handler at work in larger actions and a larger state.
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

    /// The handler at work in larger actions and larger dependencies.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, World>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> Handler<
        World, LiftMiddleware<GlobalInput, GlobalOutput, StateType, MiddlewareType>
    > {
        Handler<World, LiftMiddleware<GlobalInput, GlobalOutput, StateType, MiddlewareType>>(
            reducer: reducer.lift(action: inputAction),
            middleware: middleware.lifted(
                LiftAxes().input(inputAction).output(outputAction),
                dependencies: dependencies
            )
        )
    }

    /// The handler at work in a larger state and larger dependencies.
    @preconcurrency
    @inlinable
    public func lift<GlobalState, World>(
        state: WritableKeyPath<GlobalState, StateType>,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> Handler<
        World, LiftMiddleware<InputActionType, OutputActionType, GlobalState, MiddlewareType>
    > {
        Handler<World, LiftMiddleware<InputActionType, OutputActionType, GlobalState, MiddlewareType>>(
            reducer: reducer.lift(state: state),
            middleware: middleware.lifted(
                LiftAxes().state(path: state),
                dependencies: dependencies
            )
        )
    }

    /// The handler at work in larger actions.
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

    /// The handler at work in a larger state.
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

    /// The handler at work in larger dependencies.
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
