// SPDX-License-Identifier: Apache-2.0

// A SwiftRex call site omits each axis that does not change. So there is one function for each non-empty subset of the
// four axes: fifteen. Middleware+Lift.swift says why default arguments cannot replace them.
//
// SwiftRex repeats the fifteen functions for each kind of middleware whose lift has another type (AnyMiddleware,
// ComposedMiddleware …). Here the requested result type selects the overload: MiddlewareReader+LiftErased.swift.
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

    /// Adapts this reader to larger input action, output action, state and dependency types.
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

    /// Adapts this reader to larger input action, output action and state types.
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

    /// Adapts this reader to larger input action, output action and dependency types.
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

    /// Adapts this reader to larger input action, state and dependency types.
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

    /// Adapts this reader to larger output action, state and dependency types.
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

    /// Adapts this reader to larger input action and output action types.
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

    /// Adapts this reader to larger input action and state types.
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

    /// Adapts this reader to larger input action and dependency types.
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

    /// Adapts this reader to larger output action and state types.
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

    /// Adapts this reader to larger output action and dependency types.
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

    /// Adapts this reader to larger state and dependency types.
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

    /// Adapts this reader to a larger input action type.
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

    /// Adapts this reader to a larger output action type.
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

    /// Adapts this reader to a larger state type.
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
