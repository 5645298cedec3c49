// SPDX-License-Identifier: Apache-2.0

/// The counters of a store, as read by ``ReduxStoreBase/metrics``.
///
/// In every reading `offered == reduced + dropped + rejected + cancelled + pending`. `offered` never decreases. It
/// counts every dispatch that had returned before the reading began, and none that began after the reading ended.
/// `reduced` counts all actions before the one that the pipeline is handling. Most of the other counters are reported
/// once a batch, which takes about a millisecond at most, unless actions suddenly become slower.
public struct StoreMetrics: Sendable, Hashable, Codable {
    /// The number of dispatched actions, whatever their outcome.
    public var offered: UInt64 = 0
    /// The part of `offered` that was accepted by `dispatch(urgent:)`.
    public var urgentActions: UInt64 = 0
    /// The part of `offered` that the pipeline dispatched itself, in a store with ``ActionOrder/internalFirst``.
    public var internalActions: UInt64 = 0
    /// The number of actions that middlewares and reducers handled.
    public var reduced: UInt64 = 0
    /// The number of dropped actions: dropped by a full store under its ``OverflowPolicy``, or at the deadline of a
    /// shutdown.
    public var dropped: UInt64 = 0
    /// The number of actions never put into the queue: the store was closed, an offer found it full, a `send` was
    /// cancelled, or there was no memory for the queue.
    public var rejected: UInt64 = 0
    /// The number of actions removed from the queue because their effect was cancelled.
    public var cancelled: UInt64 = 0
    /// The number of reduced actions for an element that does not exist: see `UnknownElement`. An action that inserts
    /// its element does not count.
    public var unmatched: UInt64 = 0
    /// The number of reduced actions whose element the reducers removed, so that a middleware lifted to the element
    /// was skipped after them: see `VanishedElement`.
    public var vanished: UInt64 = 0
    /// The number of actions that wait, the one being handled included.
    public var pending: UInt64 = 0
    /// The number of slots in the queue, which is compared with the capacity. It counts messages to the pipeline, such
    /// as a `drain`, and neither urgent nor internal actions. It is reported once a batch.
    public var depth: UInt64 = 0
    /// The largest depth that the pipeline found.
    public var highWaterMark: UInt64 = 0
    /// The time that the oldest pending action has been waiting; zero if no action is pending.
    ///
    /// It is an estimate, because actions carry no time: for a backlog that grows steadily it is at most about 6 % of the
    /// time of the growth too large, for one action it may be off by a batch or a wake-up. With ``StoreEngine/caller`` it is the time since the metrics were first read
    /// while the pipeline made no progress.
    public var ageOfOldest: Duration = .zero
    /// The number of batches handled.
    public var batches: UInt64 = 0
    /// How often a dispatch woke the store's sleeping thread, or submitted a turn to its dispatch queue.
    public var wakeUps: UInt64 = 0
    /// How often the pipeline found a slot that was claimed but not yet filled: its producer was between two
    /// instructions, perhaps stopped there. It counts looks, so one stopped producer may add many. The pipeline handles
    /// the actions behind the slot meanwhile; a `drain`, and what was dispatched after it, wait. If the producer is
    /// stopped for ever, see `docs/scaling.md`.
    public var stalledProducer: UInt64 = 0
    /// The number of memory segments that the queue holds now.
    public var queueSegments: UInt64 = 0

    /// Creates counters that are all zero.
    public init() {}

    /// Returns the counters of two stores together: the sums, the larger high-water mark and the greater age.
    public static func + (left: StoreMetrics, right: StoreMetrics) -> StoreMetrics {
        var sum = StoreMetrics()
        sum.offered = left.offered &+ right.offered
        sum.urgentActions = left.urgentActions &+ right.urgentActions
        sum.internalActions = left.internalActions &+ right.internalActions
        sum.reduced = left.reduced &+ right.reduced
        sum.dropped = left.dropped &+ right.dropped
        sum.rejected = left.rejected &+ right.rejected
        sum.cancelled = left.cancelled &+ right.cancelled
        sum.unmatched = left.unmatched &+ right.unmatched
        sum.vanished = left.vanished &+ right.vanished
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
