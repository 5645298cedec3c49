// SPDX-License-Identifier: Apache-2.0

/// What one producer has collected for each shard and not dispatched yet. The arrays keep their memory.
struct ShardBatches: ~Copyable {
    /// Events dispatched at once: a few claims in the store's queue.
    static let size = 1024

    private let shards: LogShards
    private var events: ContiguousArray<ContiguousArray<LogAction>>
    private var control: ContiguousArray<ContiguousArray<LogAction>>

    init(_ shards: LogShards) {
        self.shards = shards
        events = ContiguousArray(repeating: [], count: shards.count)
        control = events
    }

    /// Adds an event; a full batch is dispatched.
    @inline(__always)
    mutating func add(_ event: AccessEvent, to shard: Int) {
        events[shard].append(.event(event))
        if events[shard].count >= Self.size { dispatch(shard) }
    }

    /// Adds an action that must not be lost. It goes in before the events of its batch, in order with its like: a text
    /// is known before the first event that uses it, a malformed line before the end of its chunk.
    @inline(never)
    mutating func add(control action: LogAction, to shard: Int) {
        control[shard].append(action)
        if control[shard].count >= Self.size { dispatch(shard) }
    }

    /// Dispatches everything. Once, at the end: with many shards a chunk has few events for each of them.
    mutating func flush() {
        for shard in 0..<shards.count { dispatch(shard) }
    }

    private mutating func dispatch(_ shard: Int) {
        if !control[shard].isEmpty {
            shards.dispatch(control: control[shard], to: shard)
            control[shard].removeAll(keepingCapacity: true)
        }
        guard !events[shard].isEmpty else { return }
        shards.dispatch(contentsOf: events[shard], to: shard)
        events[shard].removeAll(keepingCapacity: true)
    }
}
