// SPDX-License-Identifier: Apache-2.0

/// Composes two middlewares: `rhs` follows `lhs`. Both types are kept: see ``Chain``.
@inlinable
public func <> <First: MiddlewareProtocol, Second: MiddlewareProtocol>(
    lhs: First,
    rhs: Second
) -> Chain<First, Second>
where
    First.InputActionType == Second.InputActionType,
    First.OutputActionType == Second.OutputActionType,
    First.StateType == Second.StateType
{
    Chain(lhs, rhs)
}

/// Composes two middlewares with type erasure, if a ``ComposedMiddleware`` is asked for.
@_disfavoredOverload
@inlinable
public func <> <First: MiddlewareProtocol, Second: MiddlewareProtocol>(
    lhs: First,
    rhs: Second
) -> ComposedMiddleware<First.InputActionType, First.OutputActionType, First.StateType>
where
    First.InputActionType == Second.InputActionType,
    First.OutputActionType == Second.OutputActionType,
    First.StateType == Second.StateType
{
    var composed = ComposedMiddleware<First.InputActionType, First.OutputActionType, First.StateType>()
    composed.append(middleware: lhs)
    composed.append(middleware: rhs)
    return composed
}

extension ComposedMiddleware {
    /// Appends the parts of `rhs` to the parts of `lhs`; neither argument is changed.
    ///
    /// Disfavoured, because the next one fits, too: with two that fit equally well, the compiler would try both for
    /// each operator of a chain.
    @_disfavoredOverload
    @inlinable
    public static func <> (lhs: ComposedMiddleware, rhs: ComposedMiddleware) -> ComposedMiddleware {
        ComposedMiddleware(children: lhs.children + rhs.children)
    }

    // There is no overload for a composite only on the right. With both overloads, `(a <> b) <> (c <> d)` would be
    // ambiguous where a ComposedMiddleware is asked for. Such a composition makes a Chain, or the type that is asked
    // for.

    /// Appends `rhs` to the parts of `lhs`; neither argument is changed.
    @inlinable
    public static func <> <Middleware: MiddlewareProtocol>(
        lhs: ComposedMiddleware,
        rhs: Middleware
    ) -> ComposedMiddleware
    where
        Middleware.InputActionType == InputActionType,
        Middleware.OutputActionType == OutputActionType,
        Middleware.StateType == StateType
    {
        var composed = lhs
        composed.append(middleware: rhs)
        return composed
    }
}
