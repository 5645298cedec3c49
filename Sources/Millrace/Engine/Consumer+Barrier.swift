// SPDX-License-Identifier: Apache-2.0

#if MILLRACE_PLANTED
    import MillraceCore
#endif

/// A caller that waits until everything dispatched before its call is handled and published.
struct Barrier {
    /// The number of claims of the urgent queue at the call.
    let urgent: UInt64
    /// The last action before the barrier, once the pipeline has reached it.
    var sequence: UInt64 = 0
    let body: () -> Void
}

extension StoreCore {
    /// Has `body` called on the pipeline's thread once everything dispatched before is handled and published. Returns
    /// false, and never calls it, if the store takes no more messages. Any thread.
    func sendBarrier(_ body: @escaping @Sendable () -> Void) -> Bool {
        let barrier = Barrier(urgent: consumer.urgent.queue?.claimed ?? 0, body: body)
        return send { [consumer] in consumer.reach(barrier) }
    }
}

extension Consumer {
    /// Everything before the barrier in the shared queue is handled. An urgent action may still wait behind one that
    /// another thread has claimed and not published.
    fileprivate func reach(_ barrier: Barrier) {
        #if MILLRACE_PLANTED
            if Planted.has(.barrierTooEarly) { return pass(barrier) }
        #endif
        var barrier = barrier
        barrier.sequence = counters.pointee.reduced
        if isPassed(barrier, handledUrgent) { pass(barrier) } else { barriers.append(barrier) }
    }

    /// Whether everything before the barrier is handled, and nothing of it waits for the journal.
    private func isPassed(_ barrier: Barrier, _ handledUrgent: UInt64) -> Bool {
        barrier.urgent <= handledUrgent && journal?.holds(upTo: barrier.sequence) != true
    }

    /// Passes the barriers for which nothing is left to wait for. Called after a batch.
    func passBarriers() {
        let handled = handledUrgent
        let reached = barriers.filter { isPassed($0, handled) }
        barriers.removeAll { isPassed($0, handled) }
        for barrier in reached { pass(barrier) }
    }

    private func pass(_ barrier: Barrier) {
        publishIfDirty()
        barrier.body()
    }

    /// The number of claims of the urgent queue up to which all actions are handled.
    private var handledUrgent: UInt64 {
        urgent.queue.map { $0.position &+ $0.unused } ?? 0
    }
}
