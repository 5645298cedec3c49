// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// One state, changed by one pipeline: actions in from any thread, state out.
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
/// The pipeline takes one action at a time, in one order: `handle` of every middleware, first to last, sees the state
/// before; the reducers change it in place; the works that the middlewares answered run, last to first, and see the
/// state after. ``dispatch(_:)`` lists what holds for every engine.
///
/// **Release.** Letting the last reference go loses nothing: what is pending is finished, on the engine's thread,
/// then the middlewares are released. An action dispatched later through an output that somebody kept is refused and
/// counted.
///
/// **Cost.** An action costs no allocation, lock or reference count of the store's own. Make the store where its
/// middleware's type is known, so that the loop is specialised.
open class ReduxStoreBase<ActionType, StateType>: ReduxStoreProtocol, @unchecked Sendable {
    // Unchecked because an open class cannot be proved Sendable: its one property is constant, and a core is made to be
    // shared. A subclass answers for what it adds.
    @usableFromInline let core: StoreCore<ActionType, StateType>

    /// The engine that runs the pipeline: the one asked for, or ``StoreEngine/caller`` if the system had no thread.
    public let engine: StoreEngine

    /// A store that owns its state.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first action.
    ///   - reducer: What changes the state.
    ///   - middleware: What else happens. Compose several with `<>`.
    ///   - emitsValue: Which publications the subscribers are told of; it never keeps a change from the state. `.when`
    ///     compares the state published last with the new one.
    ///   - engine: Which thread runs the pipeline.
    ///   - publication: When other threads and the subscribers see a new state.
    ///   - capacity: How many actions may wait, and what happens to more.
    @inlinable
    public init<M: MiddlewareProtocol>(
        initialState: sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: sending M,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        let core = StoreCore<ActionType, StateType>(
            state: initialState,
            emitsValue: emitsValue,
            publication: publication,
            capacity: capacity
        )
        core.install(Pipeline(middleware: middleware <> PluginHost(core.plugins), reducer: reducer, core: core))
        self.core = core
        self.engine = core.start(engine)
    }

    /// A store that owns its state, without middlewares.
    @inlinable
    public convenience init(
        initialState: sending StateType,
        reducer: Reducer<ActionType, StateType>,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded
    ) {
        self.init(
            initialState: initialState,
            reducer: reducer,
            middleware: IdentityMiddleware<ActionType, ActionType, StateType>(),
            emitsValue: emitsValue,
            engine: engine,
            publication: publication,
            capacity: capacity
        )
    }

    /// A store whose state lies in a subject of the caller's, as SwiftRex has it: on the main queue (``StoreEngine/main``),
    /// and the subject is told of every action before its works run.
    ///
    /// ```swift
    /// let subject = UnfailableReplayLastSubjectType.native(initialValue: AppState())
    /// let store = ReduxStoreBase(subject: subject, reducer: appReducer, middleware: appMiddleware)
    /// subject.value().count       // anywhere, at any time
    /// ```
    ///
    /// A state that somebody else pushes into the subject counts: the next action changes that one. A native subject's
    /// state is changed in place; while the reducers run, readers of the subject wait. With another library's subject
    /// a copy is changed and pushed, and what is pushed meanwhile by others is lost.
    ///
    /// `emitsValue` decides who is told, not what becomes of the state. A native subject is changed silently. Another
    /// one has no such thing: its own subscribers are told of every action, those of ``statePublisher`` only of what
    /// passes.
    ///
    /// - Parameters:
    ///   - subject: Has the state, before the first action and ever after.
    ///   - reducer: What changes the state.
    ///   - middleware: What else happens. Compose several with `<>`. From here on it is the store's: nobody else may use
    ///     it, which the compiler does not check, as SwiftRex's apps make it of what is not Sendable.
    ///   - emitsValue: Which states the subscribers are told of. `.when` compares the states before and after an
    ///     action, for which the one before is copied.
    @inlinable
    public init<M: MiddlewareProtocol>(
        subject: UnfailableReplayLastSubjectType<StateType>,
        reducer: Reducer<ActionType, StateType>,
        middleware: M,
        emitsValue: ShouldEmitValue<StateType> = .always
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        core = .make(subject: subject, reducer: reducer, middleware: middleware, emitsValue: emitsValue)
        engine = core.start(.main)
    }

    deinit {
        core.closeReleased()
    }
}
