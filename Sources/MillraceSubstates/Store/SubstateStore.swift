// SPDX-License-Identifier: Apache-2.0

public import Millrace
import MillraceEffects

/// A store whose state consists of substates that are registered while it runs.
///
/// ```swift
/// let store = SubstateStore(reducer: routes)
/// store.dispatch(.add(states: [Tasks(), Filter.all]))
/// store.dispatch(TasksAction.add("milk"))
/// await store.drain()
/// try store.substate(Tasks.self).titles       // ["milk"]
/// ```
///
/// It starts without substates. It runs on a `ReduxStoreBase`, which is ``base``. So any thread may dispatch, one
/// thread at a time reduces, and all actions have one order.
///
/// **Every action is published,** also one that changes nothing: a subscriber gets one ``StateLastAction`` for each
/// action. This holds for the publication `.everyAction`, the default. With another one, the store publishes less
/// often, and subscribers miss actions.
///
/// **Errors.** A missing substate and an action that no reducer knows change nothing. They are counted, and given to
/// the handler `onError`: see ``SubstateError``.
///
/// **Views.** ``base`` is a store like any other: `store.base.asObservableStore()` of `MillraceObservation` is the view
/// model, and `store.base.projection(action:state:)` is a view of a part. This module has no view model of its own.
///
/// **Cost.** An action is handled as `any ActionType`: see ``ActionType``. After a publication, the first
/// change of a substate copies that substate and four small nodes, however many substates there are.
public final class SubstateStore: Sendable {
    /// The store that handles the actions. Use it for everything that this class does not offer: metrics, plugins,
    /// probes, `offer` and `send`, view models.
    public let base: ReduxStoreBase<AnyActionType, StateLastAction>
    /// The effects and the errors of the store.
    public let parts: SubstateParts
    private let observers = Locked<[any MiddlewareType]>([])

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - parts: The reducer and the effects, made for this store alone.
    ///   - middleware: The middleware, which may answer actions. Without one, use the other initialiser.
    ///   - engine: The engine, which decides which thread runs the pipeline.
    ///   - publication: When other threads and the subscribers see a new state.
    ///   - capacity: The most actions that may wait, and the overflow policy.
    ///   - order: Where the store puts the actions that its own pipeline dispatches.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        parts: SubstateParts,
        middleware: sending M,
        engine: StoreEngine = .thread(),
        publication: Publication = .everyAction,
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    )
    where
        M.InputActionType == AnyActionType, M.OutputActionType == AnyActionType, M.StateType == StateLastAction
    {
        let base = ReduxStoreBase(
            initialState: StateLastAction(),
            reducer: parts.reducer,
            middleware: parts.effects <> middleware,
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order
        )
        self.init(base, parts: parts)
    }

    /// Creates a store without middlewares of its own.
    @inlinable
    public convenience init(
        parts: SubstateParts,
        engine: StoreEngine = .thread(),
        publication: Publication = .everyAction,
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    ) {
        let base = ReduxStoreBase(
            initialState: StateLastAction(),
            reducer: parts.reducer,
            middleware: parts.effects,
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order
        )
        self.init(base, parts: parts)
    }

    /// Creates a store that finds the reducer of an action by the action's type.
    @inlinable
    public convenience init(
        reducer: RoutingReducer,
        engine: StoreEngine = .thread(),
        publication: Publication = .everyAction,
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo,
        onError: (@Sendable (SubstateError) -> Void)? = nil
    ) {
        self.init(
            parts: SubstateParts(reducer: reducer, onError: onError),
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order
        )
    }

    /// Creates a store whose actions are handled by a main reducer, as in RxState.
    @inlinable
    public convenience init(
        mainReducer: @escaping MainReducer,
        engine: StoreEngine = .thread(),
        publication: Publication = .everyAction,
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo,
        onError: (@Sendable (SubstateError) -> Void)? = nil
    ) {
        self.init(
            parts: SubstateParts(mainReducer: mainReducer, onError: onError),
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order
        )
    }

    /// Creates a store of substates on an existing store that was made with these parts, for example that of a
    /// `TestStore`.
    public init(_ base: ReduxStoreBase<AnyActionType, StateLastAction>, parts: SubstateParts) {
        self.base = base
        self.parts = parts
    }

    /// The observers that were registered, in order. The store keeps them.
    public var middlewares: [any MiddlewareType] { observers.withLock { $0 } }

    /// Adds observers, which the store keeps, and calls `observe` of each before it returns, in order.
    ///
    /// Any thread may call it. An observer gets the actions, but cannot stop them. Pass a middleware that answers
    /// actions to the initialiser.
    public func register(middlewares: [any MiddlewareType]) {
        observers.withLock { $0 += middlewares }
        for middleware in middlewares { middleware.observe(store: self) }
    }
}
