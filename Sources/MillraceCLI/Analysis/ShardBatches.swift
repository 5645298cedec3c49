// SPDX-License-Identifier: Apache-2.0

/// The actions that one producer has collected for each shard and not yet dispatched. The arrays keep their memory.
struct ShardBatches: ~Copyable {
    /// The number of actions that are dispatched at once. So a producer claims places in the store's queue only a few
    /// times for each batch.
    static let size = 1024

    private let shards: LogShards
    /// The numbers of the producer's actions for each shard, in a run with a journal; empty: there is none.
    private var numbers: [ProducerNumbers]
    /// The number of actions that are dispatched at once.
    private let limit: Int
    private var events: ContiguousArray<ContiguousArray<LogAction>>
    private var control: ContiguousArray<ContiguousArray<LogAction>>

    /// - Parameter numbers: The numbers of the producer for each shard, in a run with a journal. Then each chunk is one
    ///   batch a shard, so that the order of a producer's actions depends on its lines only.
    init(_ shards: LogShards, numbers: [ProducerNumbers] = []) {
        self.shards = shards
        self.numbers = numbers
        limit = numbers.isEmpty ? Self.size : .max
        events = ContiguousArray(repeating: [], count: shards.count)
        control = events
    }

    /// Adds an event. A full batch is dispatched.
    @inline(__always)
    mutating func add(_ event: AccessEvent, to shard: Int) {
        events[shard].append(.event(event))
        if events[shard].count >= limit { dispatch(shard) }
    }

    /// Adds an action that must not be lost. Such actions are dispatched before the events of their batch, in their own
    /// order. So a text is defined before the first event that uses it, and a malformed line comes before the end of
    /// its chunk.
    @inline(never)
    mutating func add(control action: LogAction, to shard: Int) {
        control[shard].append(action)
        if control[shard].count >= limit { dispatch(shard) }
    }

    /// Called at the end of each chunk.
    mutating func endChunk() {
        if !numbers.isEmpty { flush() }
    }

    /// Dispatches all batches. Called once, at the end: with many shards, a chunk has few events for each of them.
    mutating func flush() {
        for shard in 0..<shards.count { dispatch(shard) }
    }

    private mutating func dispatch(_ shard: Int) {
        if !control[shard].isEmpty {
            if numbers.isEmpty {
                shards.dispatch(control: control[shard], to: shard)
            } else {
                numbers[shard].dispatch(control[shard], to: shards.stores[shard])
            }
            control[shard].removeAll(keepingCapacity: true)
        }
        guard !events[shard].isEmpty else { return }
        if numbers.isEmpty {
            shards.dispatch(contentsOf: events[shard], to: shard)
        } else {
            numbers[shard].dispatch(events[shard], to: shards.stores[shard])
        }
        events[shard].removeAll(keepingCapacity: true)
    }
}
