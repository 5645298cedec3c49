// SPDX-License-Identifier: Apache-2.0

extension MiddlewareProtocol {
    /// Adapts this middleware to larger input action, output action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).output(outputAction).state(state))
    }

    /// Adapts this middleware to larger input action, output action and state types, with a key path for the state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: KeyPath<GlobalState, StateType>
    ) -> LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).output(outputAction).state(path: state))
    }

    /// Adapts this middleware to larger input action and output action types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> LiftMiddleware<GlobalInput, GlobalOutput, StateType, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).output(outputAction))
    }

    /// Adapts this middleware to larger input action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<GlobalInput, OutputActionType, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).state(state))
    }

    /// Adapts this middleware to larger input action and state types, with a key path for the state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: KeyPath<GlobalState, StateType>
    ) -> LiftMiddleware<GlobalInput, OutputActionType, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).state(path: state))
    }

    /// Adapts this middleware to larger output action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<InputActionType, GlobalOutput, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().output(outputAction).state(state))
    }

    /// Adapts this middleware to larger output action and state types, with a key path for the state.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: KeyPath<GlobalState, StateType>
    ) -> LiftMiddleware<InputActionType, GlobalOutput, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().output(outputAction).state(path: state))
    }

    /// Adapts this middleware to a larger input action type.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?
    ) -> LiftMiddleware<GlobalInput, OutputActionType, StateType, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction))
    }

    /// Adapts this middleware to a larger output action type.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> LiftMiddleware<InputActionType, GlobalOutput, StateType, Self> {
        LiftMiddleware(self, LiftAxes().output(outputAction))
    }

    /// Adapts this middleware to a larger state type.
    @preconcurrency
    @inlinable
    public func lift<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<InputActionType, OutputActionType, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().state(state))
    }

    /// Adapts this middleware to a larger state type, with a key path for the state.
    @inlinable
    public func lift<GlobalState>(
        state: KeyPath<GlobalState, StateType>
    ) -> LiftMiddleware<InputActionType, OutputActionType, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().state(path: state))
    }
}
