// SPDX-License-Identifier: Apache-2.0

#if MILLRACE_PLANTED
    import MillraceCore
#endif

/// A caller that waits until everything dispatched before its call is handled and published.
struct Barrier {
    /// What the caller waits for.
    enum Aim {
        /// The actions are reduced; others may not see their state yet.
        case recorded
        /// The actions are reduced, and their state is published. Their IOs and effects may still wait for the journal.
        case reduced
        /// The same, and their IOs and effects have run or begun.
        case handled
    }

    let aim: Aim
    /// The number of claims of the urgent queue at the call; nil once their actions are handled.
    var urgent: UInt64?
    /// The last action before the barrier, once the pipeline has handled all of them.
    var sequence: UInt64 = 0
    let body: () -> Void
}

extension StoreCore {
    /// Has `body` called on the pipeline's thread once everything dispatched before is handled and published. Returns
    /// false, and never calls it, if the store takes no more messages. Any thread.
    func sendBarrier(_ aim: Barrier.Aim, _ body: @escaping @Sendable () -> Void) -> Bool {
        let barrier = Barrier(aim: aim, urgent: consumer.urgent.queue?.claimed ?? 0, body: body)
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
        if isPassed(&barrier, handledUrgent) { pass(barrier) } else { barriers.append(barrier) }
    }

    /// Whether everything before the barrier is handled, and nothing of it waits for the journal.
    private func isPassed(_ barrier: inout Barrier, _ handledUrgent: UInt64) -> Bool {
        if let urgent = barrier.urgent {
            guard urgent <= handledUrgent else { return false }
            barrier.urgent = nil
            barrier.sequence = counters.pointee.reduced
        }
        guard let journal else { return true }
        switch barrier.aim {
        case .recorded: return true
        case .reduced: return journal.shows(barrier.sequence)
        case .handled:
            #if MILLRACE_PLANTED
                if Planted.has(.drainIgnoresHeld) { return journal.shows(barrier.sequence) }
            #endif
            return journal.shows(barrier.sequence) && !journal.holds(upTo: barrier.sequence)
        }
    }

    /// Passes the barriers for which nothing is left to wait for. Called after a batch.
    @inline(never)
    func passBarriers() {
        let handled = handledUrgent
        // The barriers may wait for a state that others cannot see yet.
        if journal?.isVisibleWhenDurable == true { publishIfDirty() }
        var waiting: [Barrier] = []
        var reached: [Barrier] = []
        for var barrier in barriers {
            if isPassed(&barrier, handled) { reached.append(barrier) } else { waiting.append(barrier) }
        }
        // Before the bodies run: they may add barriers.
        barriers = waiting
        for barrier in reached { pass(barrier) }
    }

    /// Whether a barrier can pass. A publication between two batches may have been what it waited for.
    var hasReachedBarrier: Bool {
        let handled = handledUrgent
        return barriers.contains { barrier in
            var barrier = barrier
            return isPassed(&barrier, handled)
        }
    }

    private func pass(_ barrier: Barrier) {
        publishIfDirty()
        barrier.body()
    }

    /// The number of claims of the urgent queue up to which all actions are handled.
    private var handledUrgent: UInt64 {
        urgent.queue?.passed ?? 0
    }
}
