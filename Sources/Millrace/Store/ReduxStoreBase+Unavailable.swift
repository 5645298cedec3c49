// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

// Declarations that never compile: the compiler chooses one only where nothing else fits, and its message says how to
// correct the mistake. scripts/errors-test.sh compares the messages.
extension ReduxStoreBase {
    /// Takes a middleware that was not lifted: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the middleware is not lifted to the store's actions and state: .lift(inputAction:outputAction:state:)"
    )
    @_disfavoredOverload
    public convenience init<M: MiddlewareProtocol>(
        initialState: sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: sending M,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    ) {
        self.init(initialState: initialState, reducer: reducer)
    }

    /// Takes a middleware whose actions were not lifted: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the middleware's actions are not the reducer's: lift it, .lift(inputAction:outputAction:state:)"
    )
    public convenience init<M: MiddlewareProtocol>(
        initialState: sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: sending M,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    )
    where M.StateType == StateType {
        self.init(initialState: initialState, reducer: reducer)
    }

    /// Takes a reducer that was not lifted: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the reducer is not lifted to the store's action and state: .lift(action:state:)"
    )
    @_disfavoredOverload
    public convenience init<Action, State, M: MiddlewareProtocol>(
        initialState: sending StateType,
        reducer: Reducer<Action, State>,
        middleware: sending M,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    )
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        self.init(initialState: initialState, reducer: .identity)
    }

    /// Takes a middleware that never dispatches: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the middleware's output is Never: .lift(outputAction: absurd); for a logger, middleware.logger()"
    )
    public convenience init<M: MiddlewareProtocol>(
        initialState: sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: sending M,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    )
    where M.InputActionType == ActionType, M.OutputActionType == Never, M.StateType == StateType {
        self.init(initialState: initialState, reducer: reducer)
    }

    /// Takes a reader without its dependencies: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the middleware needs its dependencies: inject them, .inject(dependencies)"
    )
    public convenience init<Dependencies, M: MiddlewareProtocol>(
        initialState: sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: MiddlewareReader<Dependencies, M>,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    ) {
        self.init(initialState: initialState, reducer: reducer)
    }

    /// Takes a middleware that was not lifted: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the middleware is not lifted to the store's actions and state: .lift(inputAction:outputAction:state:)"
    )
    @_disfavoredOverload
    public convenience init<M: MiddlewareProtocol>(
        subject: UnfailableReplayLastSubjectType<StateType>,
        reducer: Reducer<ActionType, StateType>,
        middleware: M,
        emitsValue: ShouldEmitValue<StateType> = .always,
        order: ActionOrder = .fifo
    ) {
        self.init(initialState: subject.value(), reducer: reducer)
    }

    /// Takes a reader without its dependencies: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the middleware needs its dependencies: inject them, .inject(dependencies)"
    )
    public convenience init<Dependencies, M: MiddlewareProtocol>(
        subject: UnfailableReplayLastSubjectType<StateType>,
        reducer: Reducer<ActionType, StateType>,
        middleware: MiddlewareReader<Dependencies, M>,
        emitsValue: ShouldEmitValue<StateType> = .always,
        order: ActionOrder = .fifo
    ) {
        self.init(initialState: subject.value(), reducer: reducer)
    }

    /// Takes a handler without its dependencies: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the handler needs its dependencies: add the argument dependencies, after handler"
    )
    @_disfavoredOverload
    public convenience init<Dependencies, M: MiddlewareProtocol>(
        initialState: sending StateType,
        handler: Handler<Dependencies, M>,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        self.init(initialState: initialState, reducer: handler.reducer)
    }
}
