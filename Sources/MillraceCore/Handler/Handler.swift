// SPDX-License-Identifier: Apache-2.0

/// All that a part of an app does with its actions: a reducer and a middleware, lifted and composed together.
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
/// A reducer lifted to one part of the state and its middleware to another is a mistake that nothing reports; here the
/// axes are written once. A handler that depends on nothing has `Void` for its dependencies.
///
/// **Cost.** The type of the middleware stays known, so that a store made from a handler is specialised.
public struct Handler<Dependencies, MiddlewareType: MiddlewareProtocol>: Sendable {
    /// The actions it handles.
    public typealias InputActionType = MiddlewareType.InputActionType
    /// The actions it dispatches.
    public typealias OutputActionType = MiddlewareType.OutputActionType
    /// The state it changes and reads.
    public typealias StateType = MiddlewareType.StateType

    /// What changes the state.
    public let reducer: Reducer<InputActionType, StateType>
    /// What makes the rest that happens.
    public let middleware: MiddlewareReader<Dependencies, MiddlewareType>

    /// A reducer, and a middleware that is still to be given what it depends on.
    @inlinable
    public init(
        reducer: Reducer<InputActionType, StateType>,
        middleware: MiddlewareReader<Dependencies, MiddlewareType>
    ) {
        self.reducer = reducer
        self.middleware = middleware
    }

    /// The same handler, given what it depends on.
    ///
    /// The middleware is made when a store is, anew for each, unless it came from ``MiddlewareReader/pure(_:)``.
    @inlinable
    public func inject(_ dependencies: Dependencies) -> Handler<Void, MiddlewareType> where Dependencies: Sendable {
        Handler<Void, MiddlewareType>(
            reducer: reducer,
            middleware: middleware.contramapDependencies { (_: Void) in dependencies }
        )
    }
}

extension Handler where Dependencies == Void {
    /// A reducer and a middleware that depends on nothing.
    ///
    /// A middleware that is a class is the same one in every store that is made from the handler, and an effect
    /// middleware shares what runs: make one store from it, or use a reader.
    @inlinable
    public init(
        reducer: Reducer<InputActionType, StateType> = .identity,
        middleware: MiddlewareType
    ) {
        self.init(reducer: reducer, middleware: .pure(middleware))
    }

    /// A reducer alone.
    @inlinable
    public init<ActionType, State>(reducer: Reducer<ActionType, State>)
    where MiddlewareType == IdentityMiddleware<ActionType, ActionType, State> {
        self.init(reducer: reducer, middleware: .pure(IdentityMiddleware()))
    }
}
