// SPDX-License-Identifier: Apache-2.0

/// A middleware that does nothing. It vanishes in a composition.
public struct IdentityMiddleware<InputActionType, OutputActionType, StateType>: MiddlewareProtocol, Equatable,
    Sendable
{
    /// A middleware that does nothing.
    @inlinable
    public init() {}

    /// Answers with nothing to do.
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
    /// Whether it is the middleware that does nothing. Known where the type is.
    @inlinable
    static var isIdentity: Bool {
        Self.self == IdentityMiddleware<InputActionType, OutputActionType, StateType>.self
    }
}
