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
    /// Each part at work in larger input actions, larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> ComposedMiddleware<GlobalInput, GlobalOutput, GlobalState> {
        lifted(LiftAxes().input(inputAction).output(outputAction).state(state))
    }

    /// Each part at work in larger input actions, larger output actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: KeyPath<GlobalState, StateType>
    ) -> ComposedMiddleware<GlobalInput, GlobalOutput, GlobalState> {
        lifted(LiftAxes().input(inputAction).output(outputAction).state(path: state))
    }

    /// Each part at work in larger input actions and larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> ComposedMiddleware<GlobalInput, GlobalOutput, StateType> {
        lifted(LiftAxes().input(inputAction).output(outputAction))
    }

    /// Each part at work in larger input actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> ComposedMiddleware<GlobalInput, OutputActionType, GlobalState> {
        lifted(LiftAxes().input(inputAction).state(state))
    }

    /// Each part at work in larger input actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: KeyPath<GlobalState, StateType>
    ) -> ComposedMiddleware<GlobalInput, OutputActionType, GlobalState> {
        lifted(LiftAxes().input(inputAction).state(path: state))
    }

    /// Each part at work in larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> ComposedMiddleware<InputActionType, GlobalOutput, GlobalState> {
        lifted(LiftAxes().output(outputAction).state(state))
    }

    /// Each part at work in larger output actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: KeyPath<GlobalState, StateType>
    ) -> ComposedMiddleware<InputActionType, GlobalOutput, GlobalState> {
        lifted(LiftAxes().output(outputAction).state(path: state))
    }

    /// Each part at work in larger input actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?
    ) -> ComposedMiddleware<GlobalInput, OutputActionType, StateType> {
        lifted(LiftAxes().input(inputAction))
    }

    /// Each part at work in larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> ComposedMiddleware<InputActionType, GlobalOutput, StateType> {
        lifted(LiftAxes().output(outputAction))
    }

    /// Each part at work in a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> ComposedMiddleware<InputActionType, OutputActionType, GlobalState> {
        lifted(LiftAxes().state(state))
    }

    /// Each part at work in a larger state by a key path.
    @inlinable
    public func lift<GlobalState>(
        state: KeyPath<GlobalState, StateType>
    ) -> ComposedMiddleware<InputActionType, OutputActionType, GlobalState> {
        lifted(LiftAxes().state(path: state))
    }
}
