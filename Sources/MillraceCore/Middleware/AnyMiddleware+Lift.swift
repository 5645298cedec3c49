// SPDX-License-Identifier: Apache-2.0

extension AnyMiddleware {
    @inlinable
    func lifted<GlobalInput, GlobalOutput, GlobalState>(
        _ axes: LiftAxes<GlobalInput, GlobalOutput, GlobalState, InputActionType, OutputActionType, StateType>
    ) -> AnyMiddleware<GlobalInput, GlobalOutput, GlobalState> {
        typealias Lifted = AnyMiddleware<GlobalInput, GlobalOutput, GlobalState>
        let parts = parts
        if parts.isEmpty { return Lifted(storage: .identity) }
        if parts.count == 1 { return Lifted(LiftMiddleware(self, axes)) }
        return Lifted(ComposedMiddleware(children: parts).lifted(axes))
    }
}

extension AnyMiddleware {
    /// Adapts this middleware to larger input action, output action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> AnyMiddleware<GlobalInput, GlobalOutput, GlobalState> {
        lifted(LiftAxes().input(inputAction).output(outputAction).state(state))
    }

    /// Adapts this middleware to larger input action and output action types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> AnyMiddleware<GlobalInput, GlobalOutput, StateType> {
        lifted(LiftAxes().input(inputAction).output(outputAction))
    }

    /// Adapts this middleware to larger input action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> AnyMiddleware<GlobalInput, OutputActionType, GlobalState> {
        lifted(LiftAxes().input(inputAction).state(state))
    }

    /// Adapts this middleware to larger output action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> AnyMiddleware<InputActionType, GlobalOutput, GlobalState> {
        lifted(LiftAxes().output(outputAction).state(state))
    }

    /// Adapts this middleware to a larger input action type.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?
    ) -> AnyMiddleware<GlobalInput, OutputActionType, StateType> {
        lifted(LiftAxes().input(inputAction))
    }

    /// Adapts this middleware to a larger output action type.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> AnyMiddleware<InputActionType, GlobalOutput, StateType> {
        lifted(LiftAxes().output(outputAction))
    }

    /// Adapts this middleware to a larger state type.
    @preconcurrency
    @inlinable
    public func lift<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> AnyMiddleware<InputActionType, OutputActionType, GlobalState> {
        lifted(LiftAxes().state(state))
    }
}
