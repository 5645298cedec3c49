// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The stores of a run. A producer dispatches all events of a host to one store, which keeps their order.
///
/// Ends of chunks and malformed lines have no host: the producers dispatch them to the first store. A producer defines
/// a text in each store that gets its events with this text. In a run with a journal, each store gets `began` first and
/// `inputEnded` last.
struct LogShards: Sendable {
    /// The index of the store for ends of chunks and malformed lines.
    static let first = 0
    /// How many control actions may wait beyond the capacities, in all stores together: a part of `pendingLimit`.
    private static let maximumControl = 1 << 18

    let stores: [LogStore]
    private let isLossy: Bool
    private let pendingLimit: UInt64

    /// - Parameter middleware: The closure that returns the middleware of a store, given its number.
    init(
        _ setup: StoreSetup,
        initialState: LogState,
        reducer: Reducer<LogAction, LogState> = .accessLog,
        middleware: (Int) -> RunMiddleware = { _ in RunPlugins.noMiddleware }
    ) {
        let capacity = StoreCapacity.bounded(setup.capacity, overflow: setup.overflow.policy)
        // A snapshot shares the arrays of the state, so the next event would copy them. So a store publishes its state
        // only when the report reads it.
        stores = (0..<setup.shards).map { shard in
            LogStore(
                initialState: initialState,
                reducer: reducer,
                middleware: middleware(shard),
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

    /// Dispatches events. A full store drops events or blocks the thread, as its overflow policy says.
    func dispatch(contentsOf events: ContiguousArray<LogAction>, to shard: Int) {
        stores[shard].dispatch(contentsOf: events)
    }

    /// Dispatches actions that later events or the counters need. A full store neither drops nor rejects them.
    func dispatch(control actions: ContiguousArray<LogAction>, to shard: Int) {
        if isLossy {
            for action in actions { stores[shard].dispatch(control: action) }
        } else {
            // With `.block` the producer waits for room. So no action is lost, and the queue stays within its capacity.
            stores[shard].dispatch(contentsOf: actions)
        }
    }

    /// Blocks the producer while too many actions wait, if the overflow policy drops events. The capacity does not
    /// apply to definitions and malformed lines. So without this wait, a log of only new texts or malformed lines could
    /// fill the memory.
    func pauseIfFarAhead() {
        guard isLossy else { return }
        while metrics.pending > pendingLimit { pauseThread(microseconds: 100) }
    }

    /// Waits until each store has handled all actions that were dispatched before the call.
    func drain() async {
        for store in stores { await store.drain() }
    }

    /// The counters of all stores together.
    var metrics: StoreMetrics { stores.reduce(StoreMetrics()) { $0 + $1.metrics } }

    /// The state of each store, which has counted all events only after `drain()`.
    var states: [LogState] { stores.map(\.state) }
}
