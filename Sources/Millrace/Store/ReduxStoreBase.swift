// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A store: one state, changed by one pipeline, which handles actions from any thread.
///
/// ```swift
/// let store = ReduxStoreBase(
///     initialState: 0,
///     reducer: Reducer<Int, Int>.reduce { action, state in state += action },
///     middleware: IdentityMiddleware<Int, Int, Int>()
/// )
/// store.dispatch(2)
/// await store.drain()
/// print(store.state)      // 2
/// ```
///
/// The pipeline handles one action at a time, in one order. First, `handle` of every middleware runs, first to last,
/// and sees the state before the action. Then the reducers change the state in place. Then the IOs that the middlewares
/// returned run, last to first, and see the state after the action. ``dispatch(_:)`` lists the guarantees of all
/// engines.
///
/// **Release.** No action is lost when the last reference to the store is released: the pipeline finishes the pending
/// actions on the engine's thread, then releases the middlewares. An action dispatched later, through an output that is
/// still kept, is rejected and counted. On a queue, and with ``StoreEngine/caller``, an idle store releases its
/// middlewares at once, on the releasing thread. It is idle if no action and no publication is pending, nobody else
/// holds the pipeline (a kept output of an IO does), and the release is not inside `withState` or an action.
///
/// **Cost.** An action costs no allocation, lock or reference count of the store's own. Create the store where the type
/// of its middleware is known, so that the pipeline is specialised.
open class ReduxStoreBase<ActionType, StateType>: ReduxStoreProtocol, CustomStringConvertible, @unchecked Sendable {
    // Unchecked because the compiler cannot prove an open class Sendable: its stored properties are constant, and a
    // core may be shared between threads. A subclass is responsible for the properties that it adds.
    @usableFromInline let core: StoreCore<ActionType, StateType>

    /// The engine that runs the pipeline: the requested one, or ``StoreEngine/caller`` if the system could not start a
    /// thread.
    public let engine: StoreEngine

    /// Creates a store that owns its state.
    ///
    /// If the compiler reports that sending the middleware "risks causing data races", a part of the middleware is not
    /// Sendable and can be used elsewhere, for example through the property that holds it. The compiler names that part
    /// if the property has this type:
    ///
    /// ```swift
    /// let middleware: some MiddlewareProtocol<AppAction, AppAction, AppState> & Sendable = Auth() <> Audit()
    /// ```
    ///
    /// - Parameters:
    ///   - initialState: The state before the first action.
    ///   - reducer: The reducer, which changes the state.
    ///   - middleware: The middleware, which handles side effects. Compose several with `<>`.
    ///   - emitsValue: The filter for the published states that subscribers are called with. It never prevents a change
    ///     of the state. `.when` compares the state published last with the new one.
    ///   - engine: The engine, which decides which thread runs the pipeline.
    ///   - publication: When other threads and the subscribers see a new state.
    ///   - capacity: The most actions that may wait, and the overflow policy.
    ///   - order: Where the store puts the actions that its own pipeline dispatches.
    @inlinable
    public init<M: MiddlewareProtocol>(
        initialState: sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: sending M,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        let core = StoreCore<ActionType, StateType>(
            state: initialState,
            emitsValue: emitsValue,
            publication: publication,
            capacity: capacity,
            order: order,
            world: engine.world,
            isLazy: engine.isLazy(publication)
        )
        core.install(Pipeline(middleware: middleware <> PluginHost(core.plugins), reducer: reducer, core: core))
        self.core = core
        self.engine = core.start(engine)
        core.openContexts()
    }

    /// Creates a store whose actions a journal records. The state is the one after the action `port.base`.
    @inlinable
    package init<M: MiddlewareProtocol>(
        initialState: sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: sending M,
        emitsValue: ShouldEmitValue<StateType>,
        engine: StoreEngine,
        publication: Publication,
        capacity: StoreCapacity,
        order: ActionOrder,
        journal port: JournalPort
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        let core = StoreCore<ActionType, StateType>(
            state: initialState,
            emitsValue: emitsValue,
            publication: publication,
            capacity: capacity,
            order: order,
            world: engine.world
        )
        core.connect(port)
        let pipeline = Pipeline(middleware: middleware <> PluginHost(core.plugins), reducer: reducer, core: core)
        core.install(pipeline, journal: port)
        self.core = core
        // The contexts are opened when the journal has begun: see `recovered`.
        self.engine = core.start(engine)
    }

    /// Creates a store that owns its state, without middlewares.
    @inlinable
    public convenience init(
        initialState: sending StateType,
        reducer: Reducer<ActionType, StateType>,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    ) {
        self.init(
            initialState: initialState,
            reducer: reducer,
            middleware: IdentityMiddleware<ActionType, ActionType, StateType>(),
            emitsValue: emitsValue,
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order
        )
    }

    /// Creates a store whose state is held by a subject, as in SwiftRex.
    ///
    /// The store runs on the main queue (``StoreEngine/main``). The subject gets the state after every action, before
    /// the action's IOs run.
    ///
    /// ```swift
    /// let subject = UnfailableReplayLastSubjectType.native(initialValue: AppState())
    /// let store = ReduxStoreBase(subject: subject, reducer: appReducer, middleware: appMiddleware)
    /// subject.value().count       // anywhere, at any time
    /// ```
    ///
    /// Other code may push a state into the subject: the next action then changes that state. The store changes the
    /// state of a native subject in place, and readers of the subject wait while the reducers run. With the subject of
    /// another library the store changes a copy and pushes it. A state that other code pushes meanwhile is lost.
    ///
    /// `emitsValue` decides which states subscribers are called with, and never prevents a change. The store can change
    /// a native subject without calling its subscribers. Any other subject calls its own subscribers after every
    /// action; only subscribers of ``statePublisher`` get the filtered states.
    ///
    /// `ReduxStoreBase(recovering:subject:reducer:middleware:)` of `MillraceJournal` makes such a store with a journal.
    ///
    /// - Parameters:
    ///   - subject: The subject that holds the state, before the first action and from then on.
    ///   - reducer: The reducer, which changes the state.
    ///   - middleware: The middleware, which handles side effects. Compose several with `<>`. From now on it belongs to
    ///     the store, and no other code may use it. The compiler does not check this, because SwiftRex's apps build
    ///     middlewares from parts that are not Sendable.
    ///   - emitsValue: The filter for the states that subscribers are called with. `.when` compares the states before
    ///     and after an action, and the store copies the state before for this.
    ///   - order: Where the store puts the actions that its own pipeline dispatches.
    @inlinable
    public init<M: MiddlewareProtocol>(
        subject: UnfailableReplayLastSubjectType<StateType>,
        reducer: Reducer<ActionType, StateType>,
        middleware: M,
        emitsValue: ShouldEmitValue<StateType> = .always,
        order: ActionOrder = .fifo
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        core = .make(subject: subject, reducer: reducer, middleware: middleware, emitsValue: emitsValue, order: order)
        engine = core.start(.main)
        core.openContexts()
    }

    /// Creates a store whose state is held by a subject, and whose actions a journal records. The state is the one
    /// after the action `port.base`.
    @inlinable
    package init<M: MiddlewareProtocol>(
        subject: RecoveringSubject<StateType>,
        reducer: Reducer<ActionType, StateType>,
        middleware: sending M,
        emitsValue: ShouldEmitValue<StateType>,
        engine: StoreEngine,
        order: ActionOrder,
        journal port: JournalPort
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        core = .make(
            subject: subject,
            reducer: reducer,
            middleware: middleware,
            emitsValue: emitsValue,
            order: order,
            world: engine.world,
            journal: port
        )
        self.engine = core.start(engine)
    }

    /// One line for a log: the store's type, engine and capacity, and its ``metrics``. It does not read the state.
    open var description: String {
        "\(type(of: self)), engine \(engine), capacity \(core.capacity): \(metrics)"
    }

    deinit {
        let reference = Unmanaged.passUnretained(core)
        StoreCore.closeReleased(reference)
    }
}
