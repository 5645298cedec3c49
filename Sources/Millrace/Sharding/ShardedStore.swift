// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import Synchronization

/// Several stores side by side, each for a part of the keys, so that more than one processor core runs reducers.
///
/// ```swift
/// let store = ShardedStore(
///     shards: 4,
///     by: { (order: OrderAction) in order.account },
///     initialState: { _ in Accounts() },
///     reducer: reducer,
///     middleware: { _ in Audit() }
/// )
/// store.dispatch(.placed(account: 7, cents: 100))
/// await store.drain()
/// let total = store.states.reduce(0) { $0 + $1.total }
/// ```
///
/// **Order.** Actions of one key go to one shard, and keep the order of a single store: one total order, first in,
/// first out for each producer. Actions of two shards have no order between them. An action that a middleware
/// dispatches also goes to the shard of its key, even if that is another shard.
///
/// **State.** Each shard has a state of its own; its reducers and middlewares see no other. ``states`` returns all of
/// them, each as its shard published it last. Together they are not a snapshot of one moment.
///
/// **Cost.** In addition to the cost of a store, each action needs its key and the key's hash. That takes about 2 ns
/// for whole numbers and 20 ns for strings. Sharding pays only if each shard has a processor core to itself and the
/// keys spread evenly: one hot key is one hot shard.
public final class ShardedStore<ActionType, StateType, Key: Hashable & SendableMetatype>: ActionHandler, Sendable {
    /// The shards. Dispatch to the sharded store, not to a shard: a shard accepts any action, whatever its key.
    public let shards: [ReduxStoreBase<ActionType, StateType>]
    @usableFromInline package let index: @Sendable (ActionType) -> Int
    @usableFromInline let indexOfKey: @Sendable (Key) -> Int
    @usableFromInline let router: ShardRouter<ActionType, StateType>
    /// Whether the store accepts no more actions from outside.
    @inlinable
    var closed: Bool {
        // Relaxed: a dispatch that runs while another thread closes may come before or after.
        router.isClosed.load(ordering: .relaxed)
    }

    /// Creates the shards. Each one handles the keys that fall to it.
    ///
    /// - Parameters:
    ///   - count: The number of shards, 1 to 65,536. A number outside of these is replaced by the nearer end.
    ///   - key: The closure that returns the key of an action. The key decides the shard. Any thread calls it.
    ///   - initialState: The closure that returns the initial state of a shard, given its number.
    ///   - reducer: The reducer of each shard, which changes the state.
    ///   - middleware: The closure that returns the middleware of a shard, given its number.
    ///   - engine: The closure that returns the engine of a shard, given its number. Default: a thread for each shard,
    ///     named by its number.
    ///   - publication: The publication of each shard, as for a single store.
    ///   - capacity: The capacity of each shard. It never blocks or rejects an action that a pipeline dispatches to
    ///     another shard.
    ///   - order: Where each shard puts the actions that its own pipeline dispatches to itself. What another shard
    ///     dispatches comes from outside.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        shards count: Int,
        by key: @escaping @Sendable (ActionType) -> Key,
        initialState: (Int) -> sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: (Int) -> sending M,
        engine: (Int) -> StoreEngine = { .thread(name: "shard-\($0)") },
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        self.init(
            count,
            key,
            { ShardKey.index(of: $0, among: $1) },
            initialState,
            reducer,
            middleware,
            engine,
            publication,
            capacity,
            order
        )
    }

    /// Creates the shards for keys that are whole numbers: one multiplication finds the shard.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        shards count: Int,
        by key: @escaping @Sendable (ActionType) -> Key,
        initialState: (Int) -> sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: (Int) -> sending M,
        engine: (Int) -> StoreEngine = { .thread(name: "shard-\($0)") },
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo
    )
    where
        M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType,
        Key: FixedWidthInteger
    {
        self.init(
            count,
            key,
            { ShardKey.index(of: $0, among: $1) },
            initialState,
            reducer,
            middleware,
            engine,
            publication,
            capacity,
            order
        )
    }

    /// Creates the shards. The public initializers share it; they differ in how a key finds its shard.
    @inlinable
    convenience init<M: MiddlewareProtocol>(
        _ count: Int,
        _ key: @escaping @Sendable (ActionType) -> Key,
        _ shard: @escaping @Sendable (Key, Int) -> Int,
        _ initialState: (Int) -> sending StateType,
        _ reducer: Reducer<ActionType, StateType>,
        _ middleware: (Int) -> sending M,
        _ engine: (Int) -> StoreEngine,
        _ publication: Publication,
        _ capacity: StoreCapacity,
        _ order: ActionOrder
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        let count = ShardKey.count(count)
        let stores = (0..<count).map { number in
            ReduxStoreBase(
                initialState: initialState(number),
                reducer: reducer,
                middleware: middleware(number),
                engine: engine(number).ofShard,
                publication: publication,
                capacity: capacity,
                order: order
            )
        }
        self.init(stores, index: { shard(key($0), count) }, indexOfKey: { shard($0, count) })
    }

    @usableFromInline
    package init(
        _ stores: [ReduxStoreBase<ActionType, StateType>],
        index: @escaping @Sendable (ActionType) -> Int,
        indexOfKey: @escaping @Sendable (Key) -> Int
    ) {
        shards = stores
        self.index = index
        self.indexOfKey = indexOfKey
        let cores = stores.map(\.core)
        let router = ShardRouter(cores: cores, index: index)
        self.router = router
        let siblings = cores.map(\.consumer.identity)
        let contexts = ContextGroup<ActionType, StateType>(shards: cores.count)
        // The stores are not shared yet: they only wait for a first action.
        for (number, core) in cores.enumerated() {
            core.router = router
            core.siblings = siblings
            core.holdContexts(for: router, contexts)
            core.shard = UInt16(truncatingIfNeeded: number)
        }
        // Now that all know each other: with `.caller` the pipelines run here. A shard with a journal is not complete
        // yet.
        for core in cores where core.consumer.journal == nil { core.openContexts() }
    }

    deinit {
        guard !closed else { return }
        // The shards must stay open for the actions that they still dispatch to each other. Actions of effects are
        // rejected from now on, as by a single store that was released.
        let shards = shards
        // Relaxed: see closed.
        router.isClosed.store(true, ordering: .relaxed)
        for shard in shards { shard.core.admission?.waiters.close() }
        Task.detached(executorPreference: shards.first?.core.consumer.world?.executor) { await settle(shards) }
    }
}
