// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ReduxStoreBase {
    /// A store that owns its state, made of a handler and what that depends on.
    ///
    /// The handler's middleware is made here, for this store. The loop is specialised as with a middleware of that type.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first action.
    ///   - handler: What changes the state, and what else happens.
    ///   - dependencies: What is injected into the handler.
    ///   - emitsValue: Which publications the subscribers are told of.
    ///   - engine: Which thread runs the pipeline.
    ///   - publication: When other threads and the subscribers see a new state.
    ///   - capacity: How many actions may wait, and what happens to more.
    @inlinable
    public convenience init<Dependencies, M: MiddlewareProtocol>(
        initialState: sending StateType,
        handler: Handler<Dependencies, M>,
        dependencies: sending Dependencies,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        self.init(
            initialState: initialState,
            reducer: handler.reducer,
            middleware: handler.middleware.inject(dependencies),
            emitsValue: emitsValue,
            engine: engine,
            publication: publication,
            capacity: capacity
        )
    }

    /// A store that owns its state, made of a handler that depends on nothing.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        initialState: sending StateType,
        handler: Handler<Void, M>,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        self.init(
            initialState: initialState,
            handler: handler,
            dependencies: (),
            emitsValue: emitsValue,
            engine: engine,
            publication: publication,
            capacity: capacity
        )
    }

    /// A store that owns its state, made of reducers, middlewares and handlers, written one below the other.
    ///
    /// ```swift
    /// let store = ReduxStoreBase<AppAction, AppState>(initialState: AppState()) {
    ///     appReducer
    ///     AuthMiddleware()
    /// }
    /// ```
    ///
    /// See `HandlerBuilder` for the order and for what may stand there.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        initialState: sending StateType,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        @HandlerBuilder<ActionType, StateType> content: () -> Handler<Void, M>
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        self.init(
            initialState: initialState,
            handler: content(),
            emitsValue: emitsValue,
            engine: engine,
            publication: publication,
            capacity: capacity
        )
    }
}
