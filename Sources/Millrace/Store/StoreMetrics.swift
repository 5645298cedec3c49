// SPDX-License-Identifier: Apache-2.0

/// The books of a store, as ``ReduxStoreBase/metrics`` found them.
///
/// At every quiet moment `offered == reduced + dropped + rejected + cancelled + pending`. While threads dispatch the
/// figures may be some actions apart, as they are not read in one instant. The pipeline reports once a batch, and makes
/// batches that take a millisecond at most while actions stay as quick as they were: until then they count as pending.
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
    /// An estimate, as actions carry no time: of a backlog to about a thirtieth, of a single action to about a
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

    /// The books of two stores as one: sums, but the larger high-water mark and the greater age.
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
