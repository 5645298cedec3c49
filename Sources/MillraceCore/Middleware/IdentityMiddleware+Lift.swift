// SPDX-License-Identifier: Apache-2.0

extension IdentityMiddleware {
    /// Does nothing in larger input actions, larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> IdentityMiddleware<GlobalInput, GlobalOutput, GlobalState> {
        IdentityMiddleware<GlobalInput, GlobalOutput, GlobalState>()
    }

    /// Does nothing in larger input actions, larger output actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: KeyPath<GlobalState, StateType>
    ) -> IdentityMiddleware<GlobalInput, GlobalOutput, GlobalState> {
        IdentityMiddleware<GlobalInput, GlobalOutput, GlobalState>()
    }

    /// Does nothing in larger input actions and larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> IdentityMiddleware<GlobalInput, GlobalOutput, StateType> {
        IdentityMiddleware<GlobalInput, GlobalOutput, StateType>()
    }

    /// Does nothing in larger input actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> IdentityMiddleware<GlobalInput, OutputActionType, GlobalState> {
        IdentityMiddleware<GlobalInput, OutputActionType, GlobalState>()
    }

    /// Does nothing in larger input actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: KeyPath<GlobalState, StateType>
    ) -> IdentityMiddleware<GlobalInput, OutputActionType, GlobalState> {
        IdentityMiddleware<GlobalInput, OutputActionType, GlobalState>()
    }

    /// Does nothing in larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> IdentityMiddleware<InputActionType, GlobalOutput, GlobalState> {
        IdentityMiddleware<InputActionType, GlobalOutput, GlobalState>()
    }

    /// Does nothing in larger output actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: KeyPath<GlobalState, StateType>
    ) -> IdentityMiddleware<InputActionType, GlobalOutput, GlobalState> {
        IdentityMiddleware<InputActionType, GlobalOutput, GlobalState>()
    }

    /// Does nothing in larger input actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?
    ) -> IdentityMiddleware<GlobalInput, OutputActionType, StateType> {
        IdentityMiddleware<GlobalInput, OutputActionType, StateType>()
    }

    /// Does nothing in larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> IdentityMiddleware<InputActionType, GlobalOutput, StateType> {
        IdentityMiddleware<InputActionType, GlobalOutput, StateType>()
    }

    /// Does nothing in a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> IdentityMiddleware<InputActionType, OutputActionType, GlobalState> {
        IdentityMiddleware<InputActionType, OutputActionType, GlobalState>()
    }

    /// Does nothing in a larger state by a key path.
    @inlinable
    public func lift<GlobalState>(
        state: KeyPath<GlobalState, StateType>
    ) -> IdentityMiddleware<InputActionType, OutputActionType, GlobalState> {
        IdentityMiddleware<InputActionType, OutputActionType, GlobalState>()
    }
}
