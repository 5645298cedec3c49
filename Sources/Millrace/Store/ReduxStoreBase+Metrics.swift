// SPDX-License-Identifier: Apache-2.0

import CMillrace
import MillraceRuntime
import Synchronization

extension ReduxStoreBase {
    /// The store's books. Any thread, at any time, in constant time; see ``StoreMetrics`` for how exact they are.
    public final var metrics: StoreMetrics { core.metrics }
}

extension StoreCore {
    var metrics: StoreMetrics {
        let shared = consumer.shared
        let raw = queue.raw
        var metrics = StoreMetrics()
        // What became of actions is read before how many there were, so that `pending` is never too small.
        metrics.reduced = shared.reduced.load(ordering: .acquiring)
        metrics.cancelled = shared.cancelled.load(ordering: .relaxed)
        metrics.rejected = shared.rejected.load(ordering: .relaxed)
        let discarded = shared.discarded.load(ordering: .relaxed)
        let dropped = shared.dropped.load(ordering: .relaxed)
        let consumed = millrace_queue_consumed(raw)
        let skipped = millrace_queue_skipped(raw)
        let claimed = millrace_queue_claimed(raw)
        let messages = shared.messagesOffered.load(ordering: .relaxed)
        let accepted = claimed &- min(claimed, skipped &+ messages)
        metrics.dropped = dropped &+ discarded
        metrics.offered = accepted &+ metrics.rejected &+ dropped
        metrics.pending = accepted &- min(accepted, metrics.reduced &+ metrics.cancelled &+ discarded)
        metrics.depth = claimed &- min(claimed, consumed)
        metrics.highWaterMark = max(shared.highWater.load(ordering: .relaxed), metrics.depth)
        metrics.ageOfOldest = metrics.depth == 0 ? .zero : ageOfOldest
        metrics.batches = shared.batches.load(ordering: .relaxed)
        metrics.stalledProducer = shared.stalls.load(ordering: .relaxed)
        metrics.wakeUps =
            millrace_doorbell_wakeups(millrace_queue_bell(raw)) &+ shared.submissions.load(ordering: .relaxed)
        metrics.queueSegments = millrace_queue_segments(raw)
        return metrics
    }

    /// Since the consumer's mark; where it has made none, since the first look that found something waiting.
    private var ageOfOldest: Duration {
        let now = Ticks.now
        let (_, since) = consumer.shared.oldestSince.compareExchange(
            expected: 0,
            desired: now.rawValue,
            ordering: .relaxed
        )
        return since == 0 ? .zero : .nanoseconds(Int64(clamping: Ticks(rawValue: since).nanoseconds(until: now)))
    }
}
