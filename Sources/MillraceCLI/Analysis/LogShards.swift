// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The stores of a run. All events of a host go to one store, so that their order is kept.
///
/// Actions without a host, which are ends of chunks and malformed lines, go to the first store.
struct LogShards: Sendable {
    /// The index of the store for actions without a host.
    static let first = 0
    /// The part of `pendingLimit` for control actions, to which the capacity does not apply.
    private static let maximumControl = 1 << 18

    let stores: [LogStore]
    private let isLossy: Bool
    private let pendingLimit: UInt64

    init(_ setup: StoreSetup, initialState: LogState, reducer: Reducer<LogAction, LogState> = .accessLog) {
        let capacity = StoreCapacity.bounded(setup.capacity, overflow: setup.overflow.policy)
        // A snapshot would share the state's arrays, and the next event would copy them. So the state is only published
        // for the report.
        stores = (0..<setup.shards).map { shard in
            LogStore(
                initialState: initialState,
                reducer: reducer,
                emitsValue: .never,
                engine: setup.engine.engine(shard: shard),
                publication: .onDemand,
                capacity: capacity
            )
        }
        isLossy = setup.overflow.isLossy
        pendingLimit = UInt64(setup.shards * setup.capacity * 2 + Self.maximumControl)
    }

    /// The stores of a run with a journal.
    init(_ stores: [LogStore]) {
        self.stores = stores
        isLossy = false
        pendingLimit = .max
    }

    var count: Int { stores.count }

    /// Dispatches events. The overflow policy applies to them.
    func dispatch(contentsOf events: ContiguousArray<LogAction>, to shard: Int) {
        stores[shard].dispatch(contentsOf: events)
    }

    /// Dispatches actions that later events or the counters need. They are never dropped or rejected.
    func dispatch(control actions: ContiguousArray<LogAction>, to shard: Int) {
        if isLossy {
            for action in actions { stores[shard].dispatch(control: action) }
        } else {
            // With `.block` the producer waits: no action is lost, and memory stays bounded.
            stores[shard].dispatch(contentsOf: actions)
        }
    }

    /// Waits while too many actions are pending, if the overflow policy drops events. Without this wait, a log with
    /// only new texts or malformed lines could fill the memory, because the capacity does not apply to these actions.
    func pauseIfFarAhead() {
        guard isLossy else { return }
        while metrics.pending > pendingLimit { pauseThread(microseconds: 100) }
    }

    /// Waits until all actions that were dispatched before are reduced.
    func drain() async {
        for store in stores { await store.drain() }
    }

    /// The counters of all stores together.
    var metrics: StoreMetrics { stores.reduce(StoreMetrics()) { $0 + $1.metrics } }

    /// The state of each store. Read it after `drain()`.
    var states: [LogState] { stores.map(\.state) }
}
