// SPDX-License-Identifier: Apache-2.0

import CMillrace
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
        let skipped = millrace_queue_skipped(raw)
        let claimed = millrace_queue_claimed(raw)
        let controls = shared.controlsOffered.load(ordering: .relaxed)
        let accepted = claimed &- min(claimed, skipped &+ controls)
        metrics.offered = accepted &+ metrics.rejected
        metrics.pending = accepted &- min(accepted, metrics.reduced &+ metrics.cancelled)
        metrics.batches = shared.batches.load(ordering: .relaxed)
        metrics.stalledProducer = shared.stalls.load(ordering: .relaxed)
        metrics.wakeUps = millrace_doorbell_wakeups(millrace_queue_bell(raw))
        metrics.queueSegments = millrace_queue_segments(raw)
        return metrics
    }
}
