// SPDX-License-Identifier: Apache-2.0

extension ComposedMiddleware {
    @inlinable
    func lifted<GlobalInput, GlobalOutput, GlobalState>(
        _ axes: LiftAxes<GlobalInput, GlobalOutput, GlobalState, InputActionType, OutputActionType, StateType>
    ) -> ComposedMiddleware<GlobalInput, GlobalOutput, GlobalState> {
        ComposedMiddleware<GlobalInput, GlobalOutput, GlobalState>(children: children.map { $0.lifted(axes) })
    }
}

extension ComposedMiddleware {
    /// Adapts each part to larger input action, output action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> ComposedMiddleware<GlobalInput, GlobalOutput, GlobalState> {
        lifted(LiftAxes().input(inputAction).output(outputAction).state(state))
    }

    /// Adapts each part to larger input action and output action types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> ComposedMiddleware<GlobalInput, GlobalOutput, StateType> {
        lifted(LiftAxes().input(inputAction).output(outputAction))
    }

    /// Adapts each part to larger input action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> ComposedMiddleware<GlobalInput, OutputActionType, GlobalState> {
        lifted(LiftAxes().input(inputAction).state(state))
    }

    /// Adapts each part to larger output action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> ComposedMiddleware<InputActionType, GlobalOutput, GlobalState> {
        lifted(LiftAxes().output(outputAction).state(state))
    }

    /// Adapts each part to a larger input action type.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?
    ) -> ComposedMiddleware<GlobalInput, OutputActionType, StateType> {
        lifted(LiftAxes().input(inputAction))
    }

    /// Adapts each part to a larger output action type.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> ComposedMiddleware<InputActionType, GlobalOutput, StateType> {
        lifted(LiftAxes().output(outputAction))
    }

    /// Adapts each part to a larger state type.
    @preconcurrency
    @inlinable
    public func lift<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> ComposedMiddleware<InputActionType, OutputActionType, GlobalState> {
        lifted(LiftAxes().state(state))
    }
}
