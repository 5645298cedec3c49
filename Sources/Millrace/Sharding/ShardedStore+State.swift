// SPDX-License-Identifier: Apache-2.0

extension ShardedStore {
    /// The shard that has this key.
    @inlinable
    public func shard(for key: Key) -> ReduxStoreBase<ActionType, StateType> {
        shards[indexOfKey(key)]
    }

    /// The counters of all shards as one: sums, the largest high-water mark, the greatest age. Those of one are at
    /// ``shards``.
    public var metrics: StoreMetrics {
        shards.reduce(StoreMetrics()) { $0 + $1.metrics }
    }
}

extension ShardedStore where StateType: Sendable {
    /// The states of all shards by their number, each as it was published last.
    public var states: [StateType] { shards.map(\.state) }

    /// What a closure makes of each shard's state, in place, by the shards' numbers. As for
    /// ``ReduxStoreBase/withState(_:)``, the closure must not block.
    @inlinable
    public func mapStates<Result>(_ body: (borrowing StateType) throws -> Result) rethrows -> [Result] {
        try shards.map { try $0.withState(body) }
    }

    /// The state of the shard that has this key.
    @inlinable
    public func state(for key: Key) -> StateType { shard(for: key).state }
}
