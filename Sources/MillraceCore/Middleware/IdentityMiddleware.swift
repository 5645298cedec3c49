// SPDX-License-Identifier: Apache-2.0

/// A middleware that does nothing. It costs nothing in a composition.
public struct IdentityMiddleware<InputActionType, OutputActionType, StateType>: MiddlewareProtocol, Equatable,
    Sendable
{
    /// Creates a middleware that does nothing.
    @inlinable
    public init() {}

    /// Returns a pure IO.
    @preconcurrency
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        .pure()
    }
}

extension MiddlewareProtocol {
    /// Whether this type is ``IdentityMiddleware``. A constant where the compiler knows the type.
    @inlinable
    static var isIdentity: Bool {
        Self.self == IdentityMiddleware<InputActionType, OutputActionType, StateType>.self
    }
}
