// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import Synchronization

/// Several stores side by side, one for each part of the keys: more cores than one reduce.
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
/// **Order.** Actions of one key go to one shard, and keep the order of a single store: first in, first out for each
/// producer, one total order. Actions of two shards have no order between them. What a middleware dispatches goes to
/// the shard of its key, too, also when that is another one.
///
/// **State.** Each shard has a state of its own, and its reducers and middlewares see no other. ``states`` gives all of
/// them, each as its shard published it last: not one moment of the whole.
///
/// **Cost.** Beside that of a store: the key of each action and its hash, about 2 ns for whole numbers and 20 ns for
/// texts. A shard needs a core to itself to be worth it, and keys that spread: one hot key is one hot shard.
public final class ShardedStore<ActionType, StateType, Key: Hashable & SendableMetatype>: ActionHandler, Sendable {
    /// The shards. Dispatch to the sharded store rather than to one of them: a shard takes whatever it is given.
    public let shards: [ReduxStoreBase<ActionType, StateType>]
    @usableFromInline let index: @Sendable (ActionType) -> Int
    @usableFromInline let indexOfKey: @Sendable (Key) -> Int
    @usableFromInline let router: ShardRouter<ActionType, StateType>
    /// Nothing is taken from outside any more.
    @inlinable
    var closed: Bool {
        // Relaxed: who dispatches while another thread closes may come before or after.
        router.isClosed.load(ordering: .relaxed)
    }

    /// Stores of which each has the keys that fall to it.
    ///
    /// - Parameters:
    ///   - count: How many; at least 1.
    ///   - key: What decides to which shard an action goes. Any thread calls it.
    ///   - initialState: The state of a shard, by its number.
    ///   - reducer: What changes the state.
    ///   - middleware: A middleware for each shard, by its number.
    ///   - engine: What runs a shard, by its number. Default: a thread each, named by its number.
    ///   - publication: As for a single store.
    ///   - capacity: Of each shard. What a pipeline dispatches to another shard is never blocked or refused for it.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        shards count: Int,
        by key: @escaping @Sendable (ActionType) -> Key,
        initialState: (Int) -> sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: (Int) -> sending M,
        engine: (Int) -> StoreEngine = { .thread(name: "shard-\($0)") },
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded
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
            capacity
        )
    }

    /// The same for keys that are whole numbers, whose shard is found by one multiplication.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        shards count: Int,
        by key: @escaping @Sendable (ActionType) -> Key,
        initialState: (Int) -> sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: (Int) -> sending M,
        engine: (Int) -> StoreEngine = { .thread(name: "shard-\($0)") },
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded
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
            capacity
        )
    }

    /// What the public ones share: they differ in how a key finds its shard.
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
        _ capacity: StoreCapacity
    ) where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        let count = max(1, count)
        let stores = (0..<count).map { number in
            ReduxStoreBase(
                initialState: initialState(number),
                reducer: reducer,
                middleware: middleware(number),
                engine: engine(number),
                publication: publication,
                capacity: capacity
            )
        }
        self.init(stores, index: { shard(key($0), count) }, indexOfKey: { shard($0, count) })
    }

    @usableFromInline
    init(
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
        // The stores are ours alone yet: nothing runs in them but the wait for a first action.
        for core in cores { core.router = router }
    }

    deinit {
        guard !closed else { return }
        // What shards still dispatch to each other must find them open.
        let shards = shards
        Task.detached { await settle(shards) }
    }
}
