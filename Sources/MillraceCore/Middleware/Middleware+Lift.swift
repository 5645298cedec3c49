// SPDX-License-Identifier: Apache-2.0

extension MiddlewareProtocol {
    /// This middleware at work in larger input actions, larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).output(outputAction).state(state))
    }

    /// This middleware at work in larger input actions, larger output actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: KeyPath<GlobalState, StateType>
    ) -> LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).output(outputAction).state(path: state))
    }

    /// This middleware at work in larger input actions and larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> LiftMiddleware<GlobalInput, GlobalOutput, StateType, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).output(outputAction))
    }

    /// This middleware at work in larger input actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<GlobalInput, OutputActionType, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).state(state))
    }

    /// This middleware at work in larger input actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: KeyPath<GlobalState, StateType>
    ) -> LiftMiddleware<GlobalInput, OutputActionType, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).state(path: state))
    }

    /// This middleware at work in larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<InputActionType, GlobalOutput, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().output(outputAction).state(state))
    }

    /// This middleware at work in larger output actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: KeyPath<GlobalState, StateType>
    ) -> LiftMiddleware<InputActionType, GlobalOutput, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().output(outputAction).state(path: state))
    }

    /// This middleware at work in larger input actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?
    ) -> LiftMiddleware<GlobalInput, OutputActionType, StateType, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction))
    }

    /// This middleware at work in larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> LiftMiddleware<InputActionType, GlobalOutput, StateType, Self> {
        LiftMiddleware(self, LiftAxes().output(outputAction))
    }

    /// This middleware at work in a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<InputActionType, OutputActionType, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().state(state))
    }

    /// This middleware at work in a larger state by a key path.
    @inlinable
    public func lift<GlobalState>(
        state: KeyPath<GlobalState, StateType>
    ) -> LiftMiddleware<InputActionType, OutputActionType, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().state(path: state))
    }
}
