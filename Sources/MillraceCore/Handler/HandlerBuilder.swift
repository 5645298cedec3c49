// SPDX-License-Identifier: Apache-2.0

/// Composes reducers, middlewares and handlers that are written one below the other into one ``Handler``.
///
/// ```swift
/// let store = ReduxStoreBase<AppAction, AppState>(initialState: AppState()) {
///     authReducer.lift(action: \.auth, state: \.auth)
///     AuthMiddleware().lift(inputAction: \.auth, outputAction: AppAction.auth, state: \.auth)
///     if isVerbose {
///         LogMiddleware()
///     }
/// }
/// ```
///
/// **Order.** Reducers run in written order among reducers, and middlewares among middlewares. Every `handle` is called
/// before any reducer, wherever it is written.
///
/// **Cost.** None: the result is a ``Chain`` of concrete types. An `if` becomes an ``EitherMiddleware``. The result of
/// a `for` loop or an `if #available` is type-erased.
@resultBuilder
public enum HandlerBuilder<ActionType, StateType> {
    /// The placeholder for a missing middleware.
    public typealias Identity = IdentityMiddleware<ActionType, ActionType, StateType>

    /// Accepts a reducer.
    @inlinable
    public static func buildExpression(_ reducer: Reducer<ActionType, StateType>) -> Handler<Void, Identity> {
        Handler(reducer: reducer)
    }

    /// Accepts a middleware.
    @inlinable
    public static func buildExpression<M: MiddlewareProtocol>(_ middleware: M) -> Handler<Void, M>
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        Handler(middleware: middleware)
    }

    /// Accepts a handler.
    @inlinable
    public static func buildExpression<M: MiddlewareProtocol>(_ handler: Handler<Void, M>) -> Handler<Void, M>
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        handler
    }

    /// Accepts an empty block.
    @inlinable
    public static func buildBlock() -> Handler<Void, Identity> {
        .identity()
    }

    /// Accepts the first component.
    @inlinable
    public static func buildPartialBlock<M: MiddlewareProtocol>(first: Handler<Void, M>) -> Handler<Void, M> {
        first
    }

    /// Appends the next component to the components so far.
    @inlinable
    public static func buildPartialBlock<First: MiddlewareProtocol, Second: MiddlewareProtocol>(
        accumulated: Handler<Void, First>,
        next: Handler<Void, Second>
    ) -> Handler<Void, Chain<First, Second>>
    where
        First.InputActionType == Second.InputActionType,
        First.OutputActionType == Second.OutputActionType,
        First.StateType == Second.StateType
    {
        accumulated <> next
    }

    /// Supports an `if` without an `else`.
    @inlinable
    public static func buildOptional<M: MiddlewareProtocol>(
        _ handler: Handler<Void, M>?
    ) -> Handler<Void, EitherMiddleware<M, Identity>>
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        if let handler { buildEither(first: handler) } else { buildEither(second: .identity()) }
    }

    /// Supports the `if` branch of a condition.
    @inlinable
    public static func buildEither<First: MiddlewareProtocol, Second: MiddlewareProtocol>(
        first: Handler<Void, First>
    ) -> Handler<Void, EitherMiddleware<First, Second>> {
        Handler(
            reducer: first.reducer,
            middleware: first.middleware.mapMiddleware(uncheckedSendable { EitherMiddleware<First, Second>.first($0) })
        )
    }

    /// Supports the `else` branch of a condition.
    @inlinable
    public static func buildEither<First: MiddlewareProtocol, Second: MiddlewareProtocol>(
        second: Handler<Void, Second>
    ) -> Handler<Void, EitherMiddleware<First, Second>> {
        Handler(
            reducer: second.reducer,
            middleware: second.middleware.mapMiddleware(
                uncheckedSendable { EitherMiddleware<First, Second>.second($0) }
            )
        )
    }

    /// Supports a `for` loop.
    @inlinable
    public static func buildArray<M: MiddlewareProtocol>(
        _ handlers: [Handler<Void, M>]
    ) -> Handler<Void, ComposedMiddleware<ActionType, ActionType, StateType>>
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        let none = MiddlewareReader<Void, ComposedMiddleware<ActionType, ActionType, StateType>>.identity
        return Handler(
            reducer: handlers.map(\.reducer).reduce(.identity, <>),
            middleware: handlers.map(\.middleware).reduce(none) { composed, next in composed <> next }
        )
    }

    /// Supports an `if #available`; the types in it are erased because they must not be named outside of it.
    @inlinable
    public static func buildLimitedAvailability<M: MiddlewareProtocol>(
        _ handler: Handler<Void, M>
    ) -> Handler<Void, AnyMiddleware<ActionType, ActionType, StateType>>
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        Handler(
            reducer: handler.reducer,
            middleware: handler.middleware.mapMiddleware(uncheckedSendable { $0.eraseToAnyMiddleware() })
        )
    }
}

extension Handler where Dependencies == Void {
    /// Creates a handler from reducers, middlewares and handlers, written one below the other: see ``HandlerBuilder``.
    @inlinable
    public init<ActionType, State>(@HandlerBuilder<ActionType, State> _ content: () -> Handler)
    where
        MiddlewareType.InputActionType == ActionType,
        MiddlewareType.StateType == State
    {
        self = content()
    }
}
