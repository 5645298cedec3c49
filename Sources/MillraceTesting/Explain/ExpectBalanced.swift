// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// Checks that the counters of a store balance: every action that was dispatched is accounted for.
///
/// ```swift
/// await store.drain()
/// try expectBalanced(store, isDrained: true)
/// ```
///
/// Whenever the counters are read, `offered` is the sum of `reduced`, `dropped`, `rejected`, `cancelled` and `pending`.
/// The urgent and the internal actions together are not more than the accepted ones (`offered` without `rejected`).
/// `unmatched` and `vanished` are each not more than `reduced`.
///
/// An action without an outcome counts as pending. So this function finds a lost action only if nothing may be pending:
/// drain the store, then check with `isDrained`.
///
/// - Parameters:
///   - store: The store.
///   - isDrained: Whether nothing may be pending.
/// - Throws: ``UnbalancedCounters``, which says what is off.
public func expectBalanced<Action, State>(
    _ store: ReduxStoreBase<Action, State>,
    isDrained: Bool = false
) throws(UnbalancedCounters) {
    try expectBalanced(store.metrics, isDrained: isDrained)
}

/// Checks that the counters of a sharded store balance: the sums of those of its shards.
///
/// - Throws: ``UnbalancedCounters``, which says what is off.
public func expectBalanced<Action, State, Key>(
    _ store: ShardedStore<Action, State, Key>,
    isDrained: Bool = false
) throws(UnbalancedCounters) {
    try expectBalanced(store.metrics, isDrained: isDrained)
}

/// Checks that counters that were read from a store balance.
///
/// - Throws: ``UnbalancedCounters``, which says what is off.
public func expectBalanced(_ metrics: StoreMetrics, isDrained: Bool = false) throws(UnbalancedCounters) {
    let faults = UnbalancedCounters.faults(of: metrics, isDrained: isDrained)
    if !faults.isEmpty { throw UnbalancedCounters(metrics: metrics, faults: faults) }
}
