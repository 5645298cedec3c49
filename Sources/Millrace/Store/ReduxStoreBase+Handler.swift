// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ReduxStoreBase {
    /// Creates a store that owns its state, from a handler and the handler's dependencies.
    ///
    /// The initialiser creates the handler's middleware for this store. The pipeline is specialised for the type of
    /// that middleware.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first action.
    ///   - handler: The handler, whose reducer changes the state and whose middleware handles side effects.
    ///   - dependencies: The dependencies to inject into the handler.
    ///   - emitsValue: The filter for the published states that subscribers are called with.
    ///   - engine: The engine, which decides which thread runs the pipeline.
    ///   - publication: When other threads and the subscribers see a new state.
    ///   - capacity: The most actions that may wait, and the overflow policy.
    ///   - order: Where the store puts the actions that its own pipeline dispatches.
    @inlinable
    public convenience init<Dependencies, M: MiddlewareProtocol>(
        initialState: sending StateType,
        handler: Handler<Dependencies, M>,
        dependencies: sending Dependencies,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        self.init(
            initialState: initialState,
            reducer: handler.reducer,
            middleware: handler.middleware.inject(dependencies),
            emitsValue: emitsValue,
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order
        )
    }

    /// Creates a store that owns its state, from a handler without dependencies.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        initialState: sending StateType,
        handler: Handler<Void, M>,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        self.init(
            initialState: initialState,
            handler: handler,
            dependencies: (),
            emitsValue: emitsValue,
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order
        )
    }

    /// Creates a store that owns its state, from a block of reducers, middlewares and handlers.
    ///
    /// ```swift
    /// let store = ReduxStoreBase<AppAction, AppState>(initialState: AppState()) {
    ///     appReducer
    ///     AuthMiddleware()
    /// }
    /// ```
    ///
    /// See `HandlerBuilder` for the order and for what the block may contain.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        initialState: sending StateType,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo,
        @HandlerBuilder<ActionType, StateType> content: () -> Handler<Void, M>
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        self.init(
            initialState: initialState,
            handler: content(),
            emitsValue: emitsValue,
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order
        )
    }
}
