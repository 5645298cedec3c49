// SPDX-License-Identifier: Apache-2.0

extension IdentityMiddleware {
    /// Returns an identity middleware for larger input action, output action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> IdentityMiddleware<GlobalInput, GlobalOutput, GlobalState> {
        IdentityMiddleware<GlobalInput, GlobalOutput, GlobalState>()
    }

    /// Returns an identity middleware for larger input action and output action types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> IdentityMiddleware<GlobalInput, GlobalOutput, StateType> {
        IdentityMiddleware<GlobalInput, GlobalOutput, StateType>()
    }

    /// Returns an identity middleware for larger input action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> IdentityMiddleware<GlobalInput, OutputActionType, GlobalState> {
        IdentityMiddleware<GlobalInput, OutputActionType, GlobalState>()
    }

    /// Returns an identity middleware for larger output action and state types.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> IdentityMiddleware<InputActionType, GlobalOutput, GlobalState> {
        IdentityMiddleware<InputActionType, GlobalOutput, GlobalState>()
    }

    /// Returns an identity middleware for a larger input action type.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?
    ) -> IdentityMiddleware<GlobalInput, OutputActionType, StateType> {
        IdentityMiddleware<GlobalInput, OutputActionType, StateType>()
    }

    /// Returns an identity middleware for a larger output action type.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> IdentityMiddleware<InputActionType, GlobalOutput, StateType> {
        IdentityMiddleware<InputActionType, GlobalOutput, StateType>()
    }

    /// Returns an identity middleware for a larger state type.
    @preconcurrency
    @inlinable
    public func lift<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> IdentityMiddleware<InputActionType, OutputActionType, GlobalState> {
        IdentityMiddleware<InputActionType, OutputActionType, GlobalState>()
    }
}
