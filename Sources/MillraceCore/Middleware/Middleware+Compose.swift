// SPDX-License-Identifier: Apache-2.0

/// Puts `rhs` after `lhs`. The types of both stay known: see ``Chain``.
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

/// Puts `rhs` after `lhs` and hides their types, where a ``ComposedMiddleware`` is asked for.
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
    /// Puts the parts of `rhs` after those of `lhs`; neither is changed.
    @inlinable
    public static func <> (lhs: ComposedMiddleware, rhs: ComposedMiddleware) -> ComposedMiddleware {
        ComposedMiddleware(children: lhs.children + rhs.children)
    }

    // There is none for a composite on the right alone: with both, `(a <> b) <> (c <> d)` would be ambiguous where a
    // ComposedMiddleware is asked for. It makes a Chain, or what is asked for.

    /// Puts `rhs` after the parts of `lhs`; neither is changed.
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
