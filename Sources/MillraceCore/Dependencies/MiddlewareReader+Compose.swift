// SPDX-License-Identifier: Apache-2.0

/// Composes two readers: both receive the same dependencies, and the middleware of `rhs` follows the middleware of
/// `lhs`. The types are kept: see ``Chain``.
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

/// Composes two readers of the same dependencies with type erasure, if a reader of a ``ComposedMiddleware`` is asked
/// for.
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
    /// Composes two readers: both receive the same dependencies, and the middleware of `rhs` is appended to that of
    /// `lhs`.
    @inlinable
    public static func <> (lhs: MiddlewareReader, rhs: MiddlewareReader) -> MiddlewareReader {
        let (first, second) = (lhs.inject, rhs.inject)
        return MiddlewareReader(inject: uncheckedSendable { first($0) <> second($0) })
    }
}

extension MiddlewareReader: Monoid where MiddlewareType: Monoid {
    /// The reader that ignores the dependencies and creates the identity of the middleware type.
    @inlinable
    public static var identity: MiddlewareReader {
        MiddlewareReader(inject: uncheckedSendable { _ in .identity })
    }
}

extension MiddlewareReaderProtocol {
    /// The reader that ignores the dependencies and creates an ``IdentityMiddleware``.
    ///
    /// For readers whose middleware type is not a ``Monoid``. If it is one, the other `identity` has the reader's own
    /// type.
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
