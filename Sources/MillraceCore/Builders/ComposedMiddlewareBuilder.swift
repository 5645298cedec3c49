// SPDX-License-Identifier: Apache-2.0

/// Composes middlewares that are written one below the other into a ``ComposedMiddleware``, in that order.
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
/// Conditions are evaluated once, when the middleware is created. The types are erased; ``HandlerBuilder`` keeps them.
@resultBuilder
public enum ComposedMiddlewareBuilder<InputActionType, OutputActionType, StateType> {
    /// The type of the result.
    public typealias Composed = ComposedMiddleware<InputActionType, OutputActionType, StateType>

    /// Accepts a middleware.
    @inlinable
    public static func buildExpression<M: MiddlewareProtocol>(_ middleware: M) -> Composed
    where
        M.InputActionType == InputActionType,
        M.OutputActionType == OutputActionType,
        M.StateType == StateType
    {
        Composed(erasing: middleware.eraseToAnyMiddleware())
    }

    /// Composes the middlewares in order.
    @inlinable
    public static func buildBlock(_ middlewares: Composed...) -> Composed {
        buildArray(middlewares)
    }

    /// Supports an `if` without an `else`.
    @inlinable
    public static func buildOptional(_ middleware: Composed?) -> Composed {
        middleware ?? .identity
    }

    /// Supports the `if` branch of a condition.
    @inlinable
    public static func buildEither(first: Composed) -> Composed {
        first
    }

    /// Supports the `else` branch of a condition.
    @inlinable
    public static func buildEither(second: Composed) -> Composed {
        second
    }

    /// Supports a `for` loop.
    @inlinable
    public static func buildArray(_ middlewares: [Composed]) -> Composed {
        Composed(children: middlewares.flatMap(\.children))
    }

    /// Supports an `if #available`.
    @inlinable
    public static func buildLimitedAvailability(_ middleware: Composed) -> Composed {
        middleware
    }
}

extension ComposedMiddleware {
    /// Creates a composite from middlewares that are written one below the other: see ``ComposedMiddlewareBuilder``.
    @inlinable
    public init(
        @ComposedMiddlewareBuilder<InputActionType, OutputActionType, StateType> _ content: () -> ComposedMiddleware
    ) {
        self = content()
    }
}
