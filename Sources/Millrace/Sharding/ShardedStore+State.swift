// SPDX-License-Identifier: Apache-2.0

extension ShardedStore {
    /// Returns the shard of this key.
    @inlinable
    public func shard(for key: Key) -> ReduxStoreBase<ActionType, StateType> {
        shards[indexOfKey(key)]
    }

    /// The counters of all shards together: sums, the largest high-water mark, the greatest age. For the counters of
    /// one shard, see ``shards``.
    public var metrics: StoreMetrics {
        shards.reduce(StoreMetrics()) { $0 + $1.metrics }
    }
}

extension ShardedStore where StateType: Sendable {
    /// The states of all shards by shard number, each as it was published last.
    public var states: [StateType] { shards.map(\.state) }

    /// Returns the results of a closure for each shard's state, by shard number. The closure reads each state in place.
    /// As in ``ReduxStoreBase/withState(_:)``, it must not block.
    @inlinable
    public func mapStates<Result>(_ body: (borrowing StateType) throws -> Result) rethrows -> [Result] {
        try shards.map { try $0.withState(body) }
    }

    /// Returns the state of the shard of this key.
    @inlinable
    public func state(for key: Key) -> StateType { shard(for: key).state }
}
