// SPDX-License-Identifier: Apache-2.0

/// Puts the reducer of `rhs` after that of `lhs`, and its middleware after that of `lhs`; both are given the same
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
    /// Changes nothing and does nothing, whatever it is given.
    @inlinable
    public static func identity<Input, Output, State>() -> Handler
    where MiddlewareType == IdentityMiddleware<Input, Output, State> {
        Handler(reducer: .identity, middleware: .pure(IdentityMiddleware()))
    }
}
