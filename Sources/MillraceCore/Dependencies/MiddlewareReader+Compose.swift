// SPDX-License-Identifier: Apache-2.0

/// Gives the same dependencies to both, and puts what `rhs` makes after what `lhs` makes. The types stay known: see
/// ``Chain``.
@inlinable
public func <> <First: MiddlewareReaderProtocol, Second: MiddlewareReaderProtocol>(
    lhs: First,
    rhs: Second
) -> MiddlewareReader<First.Dependencies, Chain<First.MiddlewareType, Second.MiddlewareType>>
where
    First.Dependencies == Second.Dependencies,
    First.MiddlewareType.InputActionType == Second.MiddlewareType.InputActionType,
    First.MiddlewareType.OutputActionType == Second.MiddlewareType.OutputActionType,
    First.MiddlewareType.StateType == Second.MiddlewareType.StateType
{
    let (first, second) = (lhs.inject, rhs.inject)
    return MiddlewareReader(inject: uncheckedSendable { Chain(first($0), second($0)) })
}

/// Gives the same dependencies to both, and hides the types, where a reader of a ``ComposedMiddleware`` is asked for.
@_disfavoredOverload
@inlinable
public func <> <First: MiddlewareReaderProtocol, Second: MiddlewareReaderProtocol>(
    lhs: First,
    rhs: Second
) -> MiddlewareReader<
    First.Dependencies,
    ComposedMiddleware<
        First.MiddlewareType.InputActionType, First.MiddlewareType.OutputActionType, First.MiddlewareType.StateType
    >
>
where
    First.Dependencies == Second.Dependencies,
    First.MiddlewareType.InputActionType == Second.MiddlewareType.InputActionType,
    First.MiddlewareType.OutputActionType == Second.MiddlewareType.OutputActionType,
    First.MiddlewareType.StateType == Second.MiddlewareType.StateType
{
    let (first, second) = (lhs.inject, rhs.inject)
    return MiddlewareReader(inject: uncheckedSendable { first($0) <> second($0) })
}

extension MiddlewareReader: Semigroup where MiddlewareType: Semigroup {
    /// Gives the same dependencies to both, and appends what `rhs` makes to what `lhs` makes.
    @inlinable
    public static func <> (lhs: MiddlewareReader, rhs: MiddlewareReader) -> MiddlewareReader {
        let (first, second) = (lhs.inject, rhs.inject)
        return MiddlewareReader(inject: uncheckedSendable { first($0) <> second($0) })
    }
}

extension MiddlewareReader: Monoid where MiddlewareType: Monoid {
    /// Ignores the dependencies, and makes the middleware that changes nothing.
    @inlinable
    public static var identity: MiddlewareReader {
        MiddlewareReader(inject: uncheckedSendable { _ in .identity })
    }
}

extension MiddlewareReaderProtocol {
    /// Ignores the dependencies, and makes a middleware that does nothing.
    ///
    /// For readers whose middleware is no ``Monoid``; where it is one, `identity` is of the reader's own type.
    @_disfavoredOverload
    @inlinable
    public static var identity:
        MiddlewareReader<
            Dependencies,
            IdentityMiddleware<
                MiddlewareType.InputActionType, MiddlewareType.OutputActionType, MiddlewareType.StateType
            >
        >
    {
        MiddlewareReader { _ in IdentityMiddleware() }
    }
}
