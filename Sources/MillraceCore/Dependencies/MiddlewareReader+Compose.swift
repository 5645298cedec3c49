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

// The same two with a concrete right side, for a reader that is written in place: `reader <> .pure(Audit())` and
// `reader <> .init { world in Audit(world.clock) }`. The compiler finds `pure` and `init` only in a type, not in a
// protocol. Both are disfavoured, or a chain of lifted readers would take seconds to compile. The first one has a
// concrete left side, too, so that it is preferred to the second.

/// Composes a reader with one that is written in place, such as `.pure(…)` or `.init { … }`. The types are kept: see
/// ``Chain``.
@_disfavoredOverload
@inlinable
public func <> <Dependencies, First: MiddlewareProtocol, Second: MiddlewareProtocol>(
    lhs: MiddlewareReader<Dependencies, First>,
    rhs: MiddlewareReader<Dependencies, Second>
) -> MiddlewareReader<Dependencies, Chain<First, Second>>
where
    First.InputActionType == Second.InputActionType,
    First.OutputActionType == Second.OutputActionType,
    First.StateType == Second.StateType
{
    let (first, second) = (lhs.inject, rhs.inject)
    return MiddlewareReader(inject: uncheckedSendable { Chain(first($0), second($0)) })
}

/// Composes a reader with one that is written in place, with type erasure, if a reader of a ``ComposedMiddleware`` is
/// asked for.
@_disfavoredOverload
@inlinable
public func <> <First: MiddlewareReaderProtocol, Second: MiddlewareProtocol>(
    lhs: First,
    rhs: MiddlewareReader<First.Dependencies, Second>
) -> MiddlewareReader<
    First.Dependencies,
    ComposedMiddleware<
        First.MiddlewareType.InputActionType, First.MiddlewareType.OutputActionType, First.MiddlewareType.StateType
    >
>
where
    First.MiddlewareType.InputActionType == Second.InputActionType,
    First.MiddlewareType.OutputActionType == Second.OutputActionType,
    First.MiddlewareType.StateType == Second.StateType
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
