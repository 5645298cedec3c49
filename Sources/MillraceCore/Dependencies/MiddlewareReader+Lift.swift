// SPDX-License-Identifier: Apache-2.0

// Of SwiftRex's call sites each leaves out what stays as it is, so there are as many functions as there are non-empty sets
// of four axes: fifteen. Default arguments cannot stand in for them, as an argument left out would have to decide a
// type by way of the middleware's associated types, which Swift (6.3) does not infer from a default.
//
// SwiftRex writes the fifteen again for each kind of middleware whose lift has another type (AnyMiddleware,
// ComposedMiddleware …). Here the type that is asked for chooses: MiddlewareReader+LiftErased.swift.
extension MiddlewareReaderProtocol {
    @usableFromInline typealias Axes<GlobalInput, GlobalOutput, GlobalState> = LiftAxes<
        GlobalInput, GlobalOutput, GlobalState,
        MiddlewareType.InputActionType, MiddlewareType.OutputActionType, MiddlewareType.StateType
    >

    @inlinable
    func lifted<World, GlobalInput, GlobalOutput, GlobalState>(
        _ axes: Axes<GlobalInput, GlobalOutput, GlobalState>,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, MiddlewareType>> {
        let inject = inject
        return MiddlewareReader<World, LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, MiddlewareType>>(
            inject: uncheckedSendable { LiftMiddleware(inject(dependencies($0)), axes) }
        )
    }

    /// The middleware at work in larger input actions, larger output actions, a larger state and larger dependencies.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState, World>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<
        World, LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, MiddlewareType>
    > {
        lifted(LiftAxes().input(inputAction).output(outputAction).state(state), dependencies: dependencies)
    }

    /// The middleware at work in larger input actions, larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType
    ) -> MiddlewareReader<
        Dependencies, LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, MiddlewareType>
    > {
        lifted(LiftAxes().input(inputAction).output(outputAction).state(state), dependencies: { $0 })
    }

    /// The middleware at work in larger input actions, larger output actions and larger dependencies.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, World>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<
        World, LiftMiddleware<GlobalInput, GlobalOutput, MiddlewareType.StateType, MiddlewareType>
    > {
        lifted(LiftAxes().input(inputAction).output(outputAction), dependencies: dependencies)
    }

    /// The middleware at work in larger input actions, a larger state and larger dependencies.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState, World>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<
        World, LiftMiddleware<GlobalInput, MiddlewareType.OutputActionType, GlobalState, MiddlewareType>
    > {
        lifted(LiftAxes().input(inputAction).state(state), dependencies: dependencies)
    }

    /// The middleware at work in larger output actions, a larger state and larger dependencies.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState, World>(
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<
        World, LiftMiddleware<MiddlewareType.InputActionType, GlobalOutput, GlobalState, MiddlewareType>
    > {
        lifted(LiftAxes().output(outputAction).state(state), dependencies: dependencies)
    }

    /// The middleware at work in larger input actions and larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput
    ) -> MiddlewareReader<
        Dependencies, LiftMiddleware<GlobalInput, GlobalOutput, MiddlewareType.StateType, MiddlewareType>
    > {
        lifted(LiftAxes().input(inputAction).output(outputAction), dependencies: { $0 })
    }

    /// The middleware at work in larger input actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType
    ) -> MiddlewareReader<
        Dependencies, LiftMiddleware<GlobalInput, MiddlewareType.OutputActionType, GlobalState, MiddlewareType>
    > {
        lifted(LiftAxes().input(inputAction).state(state), dependencies: { $0 })
    }

    /// The middleware at work in larger input actions and larger dependencies.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, World>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<
        World, LiftMiddleware<GlobalInput, MiddlewareType.OutputActionType, MiddlewareType.StateType, MiddlewareType>
    > {
        lifted(LiftAxes().input(inputAction), dependencies: dependencies)
    }

    /// The middleware at work in larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType
    ) -> MiddlewareReader<
        Dependencies, LiftMiddleware<MiddlewareType.InputActionType, GlobalOutput, GlobalState, MiddlewareType>
    > {
        lifted(LiftAxes().output(outputAction).state(state), dependencies: { $0 })
    }

    /// The middleware at work in larger output actions and larger dependencies.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, World>(
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<
        World, LiftMiddleware<MiddlewareType.InputActionType, GlobalOutput, MiddlewareType.StateType, MiddlewareType>
    > {
        lifted(LiftAxes().output(outputAction), dependencies: dependencies)
    }

    /// The middleware at work in a larger state and larger dependencies.
    @preconcurrency
    @inlinable
    public func lift<GlobalState, World>(
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<
        World,
        LiftMiddleware<MiddlewareType.InputActionType, MiddlewareType.OutputActionType, GlobalState, MiddlewareType>
    > {
        lifted(LiftAxes().state(state), dependencies: dependencies)
    }

    /// The middleware at work in larger input actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?
    ) -> MiddlewareReader<
        Dependencies,
        LiftMiddleware<GlobalInput, MiddlewareType.OutputActionType, MiddlewareType.StateType, MiddlewareType>
    > {
        lifted(LiftAxes().input(inputAction), dependencies: { $0 })
    }

    /// The middleware at work in larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput>(
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput
    ) -> MiddlewareReader<
        Dependencies,
        LiftMiddleware<MiddlewareType.InputActionType, GlobalOutput, MiddlewareType.StateType, MiddlewareType>
    > {
        lifted(LiftAxes().output(outputAction), dependencies: { $0 })
    }

    /// The middleware at work in a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType
    ) -> MiddlewareReader<
        Dependencies,
        LiftMiddleware<MiddlewareType.InputActionType, MiddlewareType.OutputActionType, GlobalState, MiddlewareType>
    > {
        lifted(LiftAxes().state(state), dependencies: { $0 })
    }

    /// The same as ``contramapDependencies(_:)``.
    @preconcurrency
    @inlinable
    public func lift<World>(
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, MiddlewareType> {
        contramapDependencies(dependencies)
    }
}
