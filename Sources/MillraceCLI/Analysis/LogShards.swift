// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The stores of a run. All events of a host go to one of them, so that each keeps the order of a host's events.
///
/// What has no host, ends of chunks and malformed lines, goes to the first.
struct LogShards: Sendable {
    /// Where actions without a host go.
    static let first = 0
    /// Actions of a store that overtake its bound, as they must not be lost. Beyond so many a producer pauses.
    private static let maximumControl = 1 << 18

    let stores: [LogStore]
    private let isLossy: Bool
    private let pendingLimit: UInt64

    init(_ setup: StoreSetup, initialState: LogState, reducer: Reducer<LogAction, LogState> = .accessLog) {
        let capacity = StoreCapacity.bounded(setup.capacity, overflow: setup.overflow.policy)
        // A snapshot would share the state's arrays, and the next event would copy them: publish only for the report.
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

    var count: Int { stores.count }

    /// Dispatches events as the overflow policy has it.
    func dispatch(contentsOf events: ContiguousArray<LogAction>, to shard: Int) {
        stores[shard].dispatch(contentsOf: events)
    }

    /// Dispatches what later events need, or what only the counters know: it is never thrown away.
    func dispatch(control actions: ContiguousArray<LogAction>, to shard: Int) {
        if isLossy {
            for action in actions { stores[shard].dispatch(control: action) }
        } else {
            // Waiting loses nothing, and keeps memory bounded.
            stores[shard].dispatch(contentsOf: actions)
        }
    }

    /// Where events are thrown away, nothing else holds back a log of nothing but new texts or malformed lines.
    func pauseIfFarAhead() {
        guard isLossy else { return }
        while metrics.pending > pendingLimit { pauseThread(microseconds: 100) }
    }

    /// Waits until everything dispatched before is reduced.
    func drain() async {
        for store in stores { await store.drain() }
    }

    /// The counters of all together.
    var metrics: StoreMetrics { stores.reduce(StoreMetrics()) { $0 + $1.metrics } }

    /// What each has counted. Once drained.
    var states: [LogState] { stores.map(\.state) }
}
