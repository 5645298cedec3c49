// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceCore
import Synchronization

extension ReduxStoreBase {
    /// The counters of the store. Any thread, at any time; ``StoreMetrics`` says how exact they are.
    ///
    /// Reading them costs a few dozen loads. A read waits while another thread puts a message (such as a `drain`) into
    /// the queue, or while the pipeline frees memory of the queue. Each takes well below a microsecond, unless the
    /// system stops that thread in the middle.
    public final var metrics: StoreMetrics { core.metrics }

    /// Whether the store was closed or shut down, so that it accepts no more actions from outside the pipeline.
    public final var isClosed: Bool { core.consumer.isClosed }
}

extension StoreCore {
    /// The counters, read again if the pipeline reported during the read, so that the depth belongs to one moment. If a
    /// reading thread were stopped in the middle, all actions handled meanwhile would otherwise look like a backlog.
    var metrics: StoreMetrics {
        for _ in 0..<8 {
            let (metrics, isOfOneMoment) = readMetrics()
            if isOfOneMoment { return metrics }
        }
        return readMetrics().metrics
    }

    /// The number of actions put into the shared queue up to a moment of this call: the claimed positions, without the
    /// positions of messages and the positions that the consumer took out of use.
    private var accepted: (count: UInt64, claimed: UInt64) {
        let shared = consumer.shared
        return queue.raw.accepted {
            // Under the lock a message is both claimed and counted, or neither.
            shared.messageIntake.withLock { _ in
                (queue.raw.claimed, shared.messagesOffered.load(ordering: .relaxed))
            }
        }
    }

    /// The same for the queue of urgent actions, which has no messages.
    private var acceptedUrgent: UInt64 {
        guard let urgent = consumer.urgent.queue else { return 0 }
        return urgent.accepted { (urgent.claimed, 0) }.count
    }

    private func readMetrics() -> (metrics: StoreMetrics, isOfOneMoment: Bool) {
        let shared = consumer.shared
        let raw = queue.raw
        var metrics = StoreMetrics()
        let cuts = raw.cuts
        let consumed = raw.consumed
        // The outcomes of actions are read before the number of accepted actions, so the outcomes never exceed it. The
        // pipeline reports once a batch; all actions before the current one are reduced already.
        let reduced = max(shared.reduced.load(ordering: .acquiring), cell.stage.numberBefore)
        // Actions that are handled again after a recovery were not dispatched to this store.
        metrics.reduced = reduced &- min(reduced, shared.base)
        // Acquiring: the claims of these actions, which are read below; pairs with Consumer.noteCancelled, noteDropped.
        metrics.cancelled = shared.cancelled.load(ordering: .acquiring)
        // Parts of `reduced`, which may be older.
        metrics.unmatched = min(metrics.reduced, shared.unmatched.load(ordering: .relaxed))
        metrics.vanished = min(metrics.reduced, shared.vanished.load(ordering: .relaxed))
        metrics.rejected = shared.rejected.load(ordering: .relaxed)
        let droppedFromQueue = shared.droppedFromQueue.load(ordering: .acquiring)
        let dropped = shared.dropped.load(ordering: .relaxed)
        // Acquiring: pairs with the store in `noteInternal`.
        metrics.internalActions = shared.internalOffered.load(ordering: .acquiring)
        metrics.urgentActions = acceptedUrgent
        let (inQueue, claimed) = accepted
        let accepted = inQueue &+ metrics.internalActions &+ metrics.urgentActions
        metrics.dropped = dropped &+ droppedFromQueue
        metrics.offered = accepted &+ metrics.rejected &+ dropped
        metrics.pending = accepted &- min(accepted, metrics.reduced &+ metrics.cancelled &+ droppedFromQueue)
        metrics.depth = claimed &- min(claimed, consumed)
        // Urgent and internal actions are not part of the depth.
        metrics.ageOfOldest = metrics.depth == 0 && metrics.pending == 0 ? .zero : ageOfOldest
        metrics.batches = shared.batches.load(ordering: .relaxed)
        metrics.stalledProducer = shared.stalls.load(ordering: .relaxed)
        metrics.wakeUps =
            raw.bell.wakeUps &+ shared.submissions.load(ordering: .relaxed)
        metrics.queueSegments = raw.segments
        let wasCut = cuts & 1 == 1 || raw.cuts != cuts
        let isOfOneMoment = !wasCut && raw.consumed == consumed
        let highWater = shared.highWater.load(ordering: .relaxed)
        let seen = shared.seenDepth.max(isOfOneMoment ? metrics.depth : 0, ordering: .relaxed).newValue
        metrics.highWaterMark = max(highWater, seen)
        return (metrics, isOfOneMoment)
    }

    /// The time since the consumer's mark; if there is no mark, since the first read that found actions waiting.
    private var ageOfOldest: Duration {
        let now = consumer.now
        let (_, since) = consumer.shared.oldestSince.compareExchange(
            expected: 0,
            desired: now,
            ordering: .relaxed
        )
        return since == 0 ? .zero : .nanoseconds(Int64(clamping: consumer.nanoseconds(since: since)))
    }
}
