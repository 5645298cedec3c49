// SPDX-License-Identifier: Apache-2.0

import Synchronization

// Publishing in a store whose states others see only when they are durable.
extension JournalPort {
    /// Publishes the newest state that may be seen. If the live state is not durable yet, keeps a copy of it, and
    /// publishes that later.
    func publishDurable(_ counters: UnsafeMutablePointer<Counters>, _ publish: () -> Void) {
        // Sequentially consistent: see `isAwaited`.
        let safe = durable.load(ordering: .sequentiallyConsistent)
        let live = counters.pointee.reduced
        if let unseen, unseen.sequence <= safe {
            self.unseen = nil
            if unseen.sequence < live, live > safe {
                show(unseen.state, after: unseen.sequence, counters, publish)
            }
        }
        guard counters.pointee.isDirty, unseen == nil else { return }
        if live <= safe || (isExact && waits()) {
            publish()
            if !counters.pointee.isDirty { visible = live }
        } else if !isExact, !hasGivenUp {
            unseen = (capture(), live)
            awaitDurable()
        }
    }

    /// Publishes a state that is no longer the live one.
    private func show(
        _ state: AnyObject,
        after sequence: UInt64,
        _ counters: UnsafeMutablePointer<Counters>,
        _ publish: () -> Void
    ) {
        let live = counters.pointee.reduced
        exchange(state)
        (counters.pointee.reduced, counters.pointee.isDirty, shown) = (sequence, true, sequence)
        publish()
        if !counters.pointee.isDirty { visible = sequence }
        (counters.pointee.reduced, counters.pointee.isDirty, shown) = (live, true, nil)
        exchange(state)
    }

    /// Whether others do not see the state after an action yet, or never will.
    func hides(_ sequence: UInt64) -> Bool { isVisibleWhenDurable && visible < sequence }

    /// Whether others see the state after an action, or never will.
    func shows(_ sequence: UInt64) -> Bool { !isVisibleWhenDurable || visible >= sequence || hasGivenUp }

    /// Whether a publication has to wait for the journal. If the state never will be durable, it waits for ever.
    var mustWaitToPublish: Bool {
        guard isVisibleWhenDurable, let last = unseen?.sequence ?? (hasGivenUp ? recorded : nil) else { return false }
        return durable.load(ordering: .sequentiallyConsistent) < last
    }
}
