// SPDX-License-Identifier: Apache-2.0

/// The reducer and the middleware of one part of an app, lifted and composed together.
///
/// ```swift
/// let auth = Handler(
///     reducer: authReducer,
///     middleware: MiddlewareReader { (session: Session) in AuthMiddleware(session: session) }
/// )
/// let app = auth.lift(
///     inputAction: \AppAction.auth,
///     outputAction: AppAction.auth,
///     state: \AppState.auth,
///     dependencies: { (world: World) in world.session }
/// )
/// let store = ReduxStoreBase(initialState: AppState(), handler: app, dependencies: World())
/// ```
///
/// If you lift a reducer to one part of the state and its middleware to another part, nothing reports the mistake. With
/// a handler, you write the axes once. A handler without dependencies has `Void` as its dependencies.
///
/// **Cost.** The type of the middleware is kept, so a store that is created from a handler is specialised.
public struct Handler<Dependencies, MiddlewareType: MiddlewareProtocol>: Sendable {
    /// The actions it handles.
    public typealias InputActionType = MiddlewareType.InputActionType
    /// The actions it dispatches.
    public typealias OutputActionType = MiddlewareType.OutputActionType
    /// The state it changes and reads.
    public typealias StateType = MiddlewareType.StateType

    /// The reducer, which changes the state.
    public let reducer: Reducer<InputActionType, StateType>
    /// The reader that creates the middleware, which handles side effects.
    public let middleware: MiddlewareReader<Dependencies, MiddlewareType>

    /// Creates a handler from a reducer and a middleware that still needs its dependencies.
    @inlinable
    public init(
        reducer: Reducer<InputActionType, StateType>,
        middleware: MiddlewareReader<Dependencies, MiddlewareType>
    ) {
        self.reducer = reducer
        self.middleware = middleware
    }

    /// Returns this handler with its dependencies injected.
    ///
    /// Each store gets a new middleware, which is created with the store, unless the reader came from
    /// ``MiddlewareReader/pure(_:)``.
    @inlinable
    public func inject(_ dependencies: Dependencies) -> Handler<Void, MiddlewareType> where Dependencies: Sendable {
        Handler<Void, MiddlewareType>(
            reducer: reducer,
            middleware: middleware.contramapDependencies { (_: Void) in dependencies }
        )
    }
}

extension Handler where Dependencies == Void {
    /// Creates a handler from a reducer and a middleware without dependencies.
    ///
    /// All stores made from this handler share a middleware that is a class, and they share the running effects of an
    /// effect middleware. Make only one store from the handler, or use a reader.
    @inlinable
    public init(
        reducer: Reducer<InputActionType, StateType> = .identity,
        middleware: MiddlewareType
    ) {
        self.init(reducer: reducer, middleware: .pure(middleware))
    }

    /// Creates a handler from a reducer alone.
    @inlinable
    public init<ActionType, State>(reducer: Reducer<ActionType, State>)
    where MiddlewareType == IdentityMiddleware<ActionType, ActionType, State> {
        self.init(reducer: reducer, middleware: .pure(IdentityMiddleware()))
    }
}
