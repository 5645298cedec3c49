// SPDX-License-Identifier: Apache-2.0

/// Puts middlewares that are written one below the other into a ``ComposedMiddleware``, in that order.
///
/// ```swift
/// let middleware = ComposedMiddleware<AppAction, AppAction, AppState> {
///     AuthMiddleware().lift(inputAction: \.auth, outputAction: AppAction.auth, state: \.auth)
///     for name in names {
///         AuditMiddleware(name: name)
///     }
/// }
/// ```
///
/// The conditions are looked at once, when the middleware is made. Types are hidden; ``HandlerBuilder`` keeps them.
@resultBuilder
public enum ComposedMiddlewareBuilder<InputActionType, OutputActionType, StateType> {
    /// What the block makes.
    public typealias Composed = ComposedMiddleware<InputActionType, OutputActionType, StateType>

    /// A middleware.
    @inlinable
    public static func buildExpression<M: MiddlewareProtocol>(_ middleware: M) -> Composed
    where
        M.InputActionType == InputActionType,
        M.OutputActionType == OutputActionType,
        M.StateType == StateType
    {
        Composed(erasing: middleware.eraseToAnyMiddleware())
    }

    /// All in order.
    @inlinable
    public static func buildBlock(_ middlewares: Composed...) -> Composed {
        buildArray(middlewares)
    }

    /// An `if` without an `else`.
    @inlinable
    public static func buildOptional(_ middleware: Composed?) -> Composed {
        middleware ?? .identity
    }

    /// An `if` whose condition holds.
    @inlinable
    public static func buildEither(first: Composed) -> Composed {
        first
    }

    /// An `if` whose condition does not hold.
    @inlinable
    public static func buildEither(second: Composed) -> Composed {
        second
    }

    /// A `for`.
    @inlinable
    public static func buildArray(_ middlewares: [Composed]) -> Composed {
        Composed(children: middlewares.flatMap(\.children))
    }

    /// An `if #available`.
    @inlinable
    public static func buildLimitedAvailability(_ middleware: Composed) -> Composed {
        middleware
    }
}

extension ComposedMiddleware {
    /// A composite of middlewares, written one below the other: see ``ComposedMiddlewareBuilder``.
    @inlinable
    public init(
        @ComposedMiddlewareBuilder<InputActionType, OutputActionType, StateType> _ content: () -> ComposedMiddleware
    ) {
        self = content()
    }
}
