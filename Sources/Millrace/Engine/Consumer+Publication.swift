// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

// When the state is published, and whether the published one is old.
extension Consumer {
    /// Publishes the state, if it may have changed.
    func publishIfDirty() {
        if let journal, journal.isVisibleWhenDurable {
            if let entry { journal.publishDurable(counters, entry.publish) }
            guard journal.shows(counters.pointee.reduced) else { return }
        } else if counters.pointee.isDirty {
            entry?.publish()
        }
        // The snapshot includes every action before these positions. Releasing: pairs with isSnapshotOld.
        if let urgent = urgent.queue {
            shared.snapshotUrgent.store(urgent.passed, ordering: .releasing)
        }
        if let internalQueue {
            let waits: UInt64 = internalQueue.isEmpty ? 0 : 1
            shared.snapshotInternal.store(internalQueue.pushed &- waits, ordering: .releasing)
        }
        shared.snapshotPosition.store(queue.oldestPosition, ordering: .releasing)
        shared.snapshotVersion.store(counters.pointee.reduced, ordering: .releasing)
    }

    /// Whether actions were dispatched that the latest snapshot may not include. Any thread.
    var isSnapshotOld: Bool {
        // Acquiring: pairs with publishIfDirty().
        if queue.claimed > shared.snapshotPosition.load(ordering: .acquiring) { return true }
        // Urgent and internal actions have no position in the shared queue. Relaxed: a caller that dispatched them, or
        // was told of them, sees their count.
        if internalQueue != nil {
            let offered = shared.internalOffered.load(ordering: .relaxed)
            if offered > shared.snapshotInternal.load(ordering: .acquiring) { return true }
        }
        #if MILLRACE_PLANTED
            if Planted.has(.urgentUnread) { return false }
        #endif
        guard let urgent = urgent.queue else { return false }
        return urgent.claimed > shared.snapshotUrgent.load(ordering: .acquiring)
    }

    /// Publishes if the pacing asks for it at the end of a batch.
    func publishAfterBatch() {
        guard counters.pointee.isDirty else { return }
        switch pacing {
        case .everyAction, .batch: publishIfDirty()
        case .atMost(let ticks):
            if TickClock.between(counters.pointee.published, now) >= ticks { publishIfDirty() }
        case .onDemand: break
        }
    }

    /// Returns the time until the next publication. 0: at once. Nil: nothing to publish, or only on demand.
    func nanosecondsToPublication() -> UInt64? {
        guard counters.pointee.isDirty, journal?.mustWaitToPublish != true else { return nil }
        switch pacing {
        case .onDemand: return nil
        case .everyAction, .batch: return 0
        case .atMost(let ticks):
            let passed = TickClock.between(counters.pointee.published, now)
            return passed >= ticks ? 0 : max(1, StoreTime.nanoseconds(ticks - passed, world))
        }
    }
}
