// SPDX-License-Identifier: Apache-2.0

// The lifts for a context that asks for a reader of an AnyMiddleware or a ComposedMiddleware. As in the lifts of these
// two types, an erased identity stays an identity, and the parts of a composite are lifted one by one.
extension MiddlewareReaderProtocol {
    @inlinable
    func erased<World, GlobalInput, GlobalOutput, GlobalState, Erased: ErasingMiddleware>(
        _ axes: Axes<GlobalInput, GlobalOutput, GlobalState>,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, Erased>
    where
        Erased.InputActionType == GlobalInput,
        Erased.OutputActionType == GlobalOutput,
        Erased.StateType == GlobalState
    {
        let inject = inject
        return MiddlewareReader<World, Erased>(
            inject: uncheckedSendable { Erased(erasing: inject(dependencies($0)).eraseToAnyMiddleware().lifted(axes)) }
        )
    }

    /// Adapts this reader to larger input action, output action, state and dependency types, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState, World, Erased: ErasingMiddleware>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, Erased>
    where
        Erased.InputActionType == GlobalInput,
        Erased.OutputActionType == GlobalOutput,
        Erased.StateType == GlobalState
    {
        erased(LiftAxes().input(inputAction).output(outputAction).state(state), dependencies: dependencies)
    }

    /// Adapts this reader to larger input action, output action and state types, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState, Erased: ErasingMiddleware>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType
    ) -> MiddlewareReader<Dependencies, Erased>
    where
        Erased.InputActionType == GlobalInput,
        Erased.OutputActionType == GlobalOutput,
        Erased.StateType == GlobalState
    {
        erased(LiftAxes().input(inputAction).output(outputAction).state(state), dependencies: { $0 })
    }

    /// Adapts this reader to larger input action, output action and dependency types, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, World, Erased: ErasingMiddleware>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, Erased>
    where
        Erased.InputActionType == GlobalInput,
        Erased.OutputActionType == GlobalOutput,
        Erased.StateType == MiddlewareType.StateType
    {
        erased(LiftAxes().input(inputAction).output(outputAction), dependencies: dependencies)
    }

    /// Adapts this reader to larger input action, state and dependency types, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState, World, Erased: ErasingMiddleware>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, Erased>
    where
        Erased.InputActionType == GlobalInput,
        Erased.OutputActionType == MiddlewareType.OutputActionType,
        Erased.StateType == GlobalState
    {
        erased(LiftAxes().input(inputAction).state(state), dependencies: dependencies)
    }

    /// Adapts this reader to larger output action, state and dependency types, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState, World, Erased: ErasingMiddleware>(
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, Erased>
    where
        Erased.InputActionType == MiddlewareType.InputActionType,
        Erased.OutputActionType == GlobalOutput,
        Erased.StateType == GlobalState
    {
        erased(LiftAxes().output(outputAction).state(state), dependencies: dependencies)
    }

    /// Adapts this reader to larger input action and output action types, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, Erased: ErasingMiddleware>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput
    ) -> MiddlewareReader<Dependencies, Erased>
    where
        Erased.InputActionType == GlobalInput,
        Erased.OutputActionType == GlobalOutput,
        Erased.StateType == MiddlewareType.StateType
    {
        erased(LiftAxes().input(inputAction).output(outputAction), dependencies: { $0 })
    }

    /// Adapts this reader to larger input action and state types, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState, Erased: ErasingMiddleware>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType
    ) -> MiddlewareReader<Dependencies, Erased>
    where
        Erased.InputActionType == GlobalInput,
        Erased.OutputActionType == MiddlewareType.OutputActionType,
        Erased.StateType == GlobalState
    {
        erased(LiftAxes().input(inputAction).state(state), dependencies: { $0 })
    }

    /// Adapts this reader to larger input action and dependency types, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, World, Erased: ErasingMiddleware>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, Erased>
    where
        Erased.InputActionType == GlobalInput,
        Erased.OutputActionType == MiddlewareType.OutputActionType,
        Erased.StateType == MiddlewareType.StateType
    {
        erased(LiftAxes().input(inputAction), dependencies: dependencies)
    }

    /// Adapts this reader to larger output action and state types, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState, Erased: ErasingMiddleware>(
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType
    ) -> MiddlewareReader<Dependencies, Erased>
    where
        Erased.InputActionType == MiddlewareType.InputActionType,
        Erased.OutputActionType == GlobalOutput,
        Erased.StateType == GlobalState
    {
        erased(LiftAxes().output(outputAction).state(state), dependencies: { $0 })
    }

    /// Adapts this reader to larger output action and dependency types, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, World, Erased: ErasingMiddleware>(
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, Erased>
    where
        Erased.InputActionType == MiddlewareType.InputActionType,
        Erased.OutputActionType == GlobalOutput,
        Erased.StateType == MiddlewareType.StateType
    {
        erased(LiftAxes().output(outputAction), dependencies: dependencies)
    }

    /// Adapts this reader to larger state and dependency types, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalState, World, Erased: ErasingMiddleware>(
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType,
        dependencies: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, Erased>
    where
        Erased.InputActionType == MiddlewareType.InputActionType,
        Erased.OutputActionType == MiddlewareType.OutputActionType,
        Erased.StateType == GlobalState
    {
        erased(LiftAxes().state(state), dependencies: dependencies)
    }

    /// Adapts this reader to a larger input action type, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, Erased: ErasingMiddleware>(
        inputAction: @escaping @Sendable (GlobalInput) -> MiddlewareType.InputActionType?
    ) -> MiddlewareReader<Dependencies, Erased>
    where
        Erased.InputActionType == GlobalInput,
        Erased.OutputActionType == MiddlewareType.OutputActionType,
        Erased.StateType == MiddlewareType.StateType
    {
        erased(LiftAxes().input(inputAction), dependencies: { $0 })
    }

    /// Adapts this reader to a larger output action type, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, Erased: ErasingMiddleware>(
        outputAction: @escaping @Sendable (MiddlewareType.OutputActionType) -> GlobalOutput
    ) -> MiddlewareReader<Dependencies, Erased>
    where
        Erased.InputActionType == MiddlewareType.InputActionType,
        Erased.OutputActionType == GlobalOutput,
        Erased.StateType == MiddlewareType.StateType
    {
        erased(LiftAxes().output(outputAction), dependencies: { $0 })
    }

    /// Adapts this reader to a larger state type, with type erasure.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalState, Erased: ErasingMiddleware>(
        state: @escaping @Sendable (GlobalState) -> MiddlewareType.StateType
    ) -> MiddlewareReader<Dependencies, Erased>
    where
        Erased.InputActionType == MiddlewareType.InputActionType,
        Erased.OutputActionType == MiddlewareType.OutputActionType,
        Erased.StateType == GlobalState
    {
        erased(LiftAxes().state(state), dependencies: { $0 })
    }
}
