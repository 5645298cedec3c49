// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Glibc
import MillraceCore
import MillraceRuntime
import Synchronization

extension ReduxStoreBase {
    /// The counters of the store. Any thread, at any time; see ``StoreMetrics`` for how exact they are.
    ///
    /// A few dozen loads. A look waits while another thread puts a message (such as a `drain`) into the queue, or the
    /// pipeline gives memory back: well below a microsecond each, unless that thread is stopped in the middle.
    public final var metrics: StoreMetrics { core.metrics }

    /// Whether the store was closed or shut down: it takes no more actions from outside.
    public final var isClosed: Bool { core.consumer.isClosed }
}

extension StoreCore {
    /// Read again while the pipeline reports, so that the depth is of one moment, too: a thread that is stopped in the
    /// middle would else find a backlog of everything that went through meanwhile.
    var metrics: StoreMetrics {
        for _ in 0..<8 {
            let (metrics, isOfOneMoment) = readMetrics()
            if isOfOneMoment { return metrics }
        }
        return readMetrics().metrics
    }

    /// How many actions went into the queue until a moment of this call: positions claimed, without those of messages
    /// and those that were taken out of use.
    private var accepted: (count: UInt64, claimed: UInt64) {
        let raw = queue.raw
        while true {
            let cuts = millrace_queue_cuts(raw)
            let skipped = millrace_queue_skipped(raw)
            // The lock keeps the two in step: a message is claimed and counted, or neither.
            let (claimed, messages) = consumer.shared.messageIntake.withLock { _ in
                (millrace_queue_claimed(raw), consumer.shared.messagesOffered.load(ordering: .relaxed))
            }
            // Positions that the consumer is taking out of use are claimed first and counted then: it takes less than a
            // microsecond, unless the consumer is stopped in it.
            if cuts & 1 == 0, millrace_queue_cuts(raw) == cuts { return (claimed &- skipped &- messages, claimed) }
            sched_yield()
        }
    }

    /// The counters while the pipeline is at this action: exact also in the middle of a batch.
    func metrics(duringActionAt position: UInt64) -> StoreMetrics {
        let shared = consumer.shared
        var metrics = readMetrics().metrics
        let others =
            shared.messagesTaken.load(ordering: .relaxed) &+ shared.discarded.load(ordering: .relaxed)
            &+ metrics.cancelled &+ millrace_queue_skipped(queue.raw)
        // It may have gone on meanwhile, and told.
        let reduced = max(metrics.reduced, position &- min(position, others))
        metrics.pending &-= min(metrics.pending, reduced &- metrics.reduced)
        metrics.depth = metrics.pending
        metrics.reduced = reduced
        return metrics
    }

    private func readMetrics() -> (metrics: StoreMetrics, isOfOneMoment: Bool) {
        let shared = consumer.shared
        let raw = queue.raw
        var metrics = StoreMetrics()
        let cuts = millrace_queue_cuts(raw)
        let consumed = millrace_queue_consumed(raw)
        // What became of actions is read before how many there were: so there were at least as many.
        metrics.reduced = shared.reduced.load(ordering: .acquiring)
        metrics.cancelled = shared.cancelled.load(ordering: .relaxed)
        metrics.rejected = shared.rejected.load(ordering: .relaxed)
        let discarded = shared.discarded.load(ordering: .relaxed)
        let dropped = shared.dropped.load(ordering: .relaxed)
        let (accepted, claimed) = accepted
        metrics.dropped = dropped &+ discarded
        metrics.offered = accepted &+ metrics.rejected &+ dropped
        metrics.pending = accepted &- min(accepted, metrics.reduced &+ metrics.cancelled &+ discarded)
        metrics.depth = claimed &- min(claimed, consumed)
        metrics.ageOfOldest = metrics.depth == 0 ? .zero : ageOfOldest
        metrics.batches = shared.batches.load(ordering: .relaxed)
        metrics.stalledProducer = shared.stalls.load(ordering: .relaxed)
        metrics.wakeUps =
            millrace_doorbell_wakeups(millrace_queue_bell(raw)) &+ shared.submissions.load(ordering: .relaxed)
        metrics.queueSegments = millrace_queue_segments(raw)
        let wasCut = cuts & 1 == 1 || millrace_queue_cuts(raw) != cuts
        let isOfOneMoment = !wasCut && millrace_queue_consumed(raw) == consumed
        let highWater = shared.highWater.load(ordering: .relaxed)
        metrics.highWaterMark = isOfOneMoment ? max(highWater, metrics.depth) : highWater
        return (metrics, isOfOneMoment)
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
