// SPDX-License-Identifier: Apache-2.0

#if MILLRACE_PLANTED
    import MillraceCore
#endif

/// A caller that waits until everything dispatched before its call is handled and published.
struct Barrier {
    /// The number of claims of the urgent queue at the call.
    let urgent: UInt64
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
        if barrier.urgent <= handledUrgent { pass(barrier) } else { barriers.append(barrier) }
    }

    /// Passes the barriers whose urgent actions are handled. Called after a batch.
    func passBarriers() {
        let handled = handledUrgent
        let reached = barriers.filter { $0.urgent <= handled }
        barriers.removeAll { $0.urgent <= handled }
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
