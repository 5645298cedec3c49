// SPDX-License-Identifier: Apache-2.0

/// The counters of a store, as ``ReduxStoreBase/metrics`` found them.
///
/// At every look `offered == reduced + dropped + rejected + cancelled + pending`. `offered` never decreases; it counts
/// every dispatch that had returned when the look began, and none that had not begun when the look ended. The pipeline
/// reports once a batch: until then the actions of that batch count as pending. A batch takes about a millisecond at
/// most, as long as actions do not become slower all of a sudden.
public struct StoreMetrics: Sendable, Hashable, Codable {
    /// Actions that were dispatched, whatever became of them.
    public var offered: UInt64 = 0
    /// Actions that went through middlewares and reducers.
    public var reduced: UInt64 = 0
    /// Actions that were thrown away: by a full store, as its ``OverflowPolicy`` says, or at the deadline of a shutdown.
    public var dropped: UInt64 = 0
    /// Actions that their dispatcher kept: the store was closed, an offer found it full, a `send` was cancelled, or there
    /// was no memory for the queue.
    public var rejected: UInt64 = 0
    /// Actions taken out of the queue because the effect run they belong to was revoked.
    public var cancelled: UInt64 = 0
    /// Actions that wait, the one being handled included.
    public var pending: UInt64 = 0
    /// Slots in the queue: what a bound is compared with. Beside the pending actions it counts messages to the
    /// pipeline, such as a `drain`, and it is reported once a batch.
    public var depth: UInt64 = 0
    /// The largest depth that the pipeline found.
    public var highWaterMark: UInt64 = 0
    /// How long the oldest of the pending actions has been waiting; zero when there is none.
    ///
    /// An estimate, as actions carry no time: for a backlog it is exact to about 3 %, for one action it may be off by a
    /// batch or a wake-up. With ``StoreEngine/caller`` it is the time since somebody first looked at these metrics
    /// while the pipeline made no progress.
    public var ageOfOldest: Duration = .zero
    /// Batches drained.
    public var batches: UInt64 = 0
    /// Times a dispatch woke the store's sleeping thread, or had its queue run a turn.
    public var wakeUps: UInt64 = 0
    /// Times the pipeline found a slot claimed but not yet filled: a producer was stopped between two instructions.
    public var stalledProducer: UInt64 = 0
    /// Memory segments that the queue holds now.
    public var queueSegments: UInt64 = 0

    /// All zero.
    public init() {}

    /// The counters of two stores as one: sums, but the larger high-water mark and the greater age.
    public static func + (left: StoreMetrics, right: StoreMetrics) -> StoreMetrics {
        var sum = StoreMetrics()
        sum.offered = left.offered &+ right.offered
        sum.reduced = left.reduced &+ right.reduced
        sum.dropped = left.dropped &+ right.dropped
        sum.rejected = left.rejected &+ right.rejected
        sum.cancelled = left.cancelled &+ right.cancelled
        sum.pending = left.pending &+ right.pending
        sum.depth = left.depth &+ right.depth
        sum.highWaterMark = max(left.highWaterMark, right.highWaterMark)
        sum.ageOfOldest = max(left.ageOfOldest, right.ageOfOldest)
        sum.batches = left.batches &+ right.batches
        sum.wakeUps = left.wakeUps &+ right.wakeUps
        sum.stalledProducer = left.stalledProducer &+ right.stalledProducer
        sum.queueSegments = left.queueSegments &+ right.queueSegments
        return sum
    }
}
