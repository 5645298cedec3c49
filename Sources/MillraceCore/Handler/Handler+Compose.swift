// SPDX-License-Identifier: Apache-2.0

/// Composes two handlers: the reducer and the middleware of `rhs` follow those of `lhs`. Both handlers receive the same
/// dependencies.
@inlinable
public func <> <Dependencies, First: MiddlewareProtocol, Second: MiddlewareProtocol>(
    lhs: Handler<Dependencies, First>,
    rhs: Handler<Dependencies, Second>
) -> Handler<Dependencies, Chain<First, Second>>
where
    First.InputActionType == Second.InputActionType,
    First.OutputActionType == Second.OutputActionType,
    First.StateType == Second.StateType
{
    Handler(reducer: lhs.reducer <> rhs.reducer, middleware: lhs.middleware <> rhs.middleware)
}

extension Handler {
    /// Returns a handler that changes no state and does nothing.
    @inlinable
    public static func identity<Input, Output, State>() -> Handler
    where MiddlewareType == IdentityMiddleware<Input, Output, State> {
        Handler(reducer: .identity, middleware: .pure(IdentityMiddleware()))
    }
}
