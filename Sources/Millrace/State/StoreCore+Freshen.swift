// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRuntime
import Synchronization

// What a read on another thread does first in a store that is read on demand.
extension StoreCore {
    /// Has the pipeline reduce and publish all actions dispatched until now, and waits until it has.
    @usableFromInline
    func freshen() {
        if consumer.isLazy { return freshenLazily() }
        if mayWait, consumer.isSnapshotOld { publishAndWait() }
    }

    /// Two pipelines must not wait for each other; no thread may wait inside a read section; and a job on the store's own
    /// queue would wait forever for a turn of that queue.
    private var mayWait: Bool { !Frames.isRunningAny && !ReadSection.isOngoing && !waitsForItself }

    /// Publishes the state on this thread if no other thread is in the pipeline: then nothing waits, because a `.caller`
    /// store finishes each action at once.
    private func freshenLazily() {
        // Acquiring: the state of those actions; pairs with PublishedCounters.report(_:). The other one pairs with
        // publishIfDirty().
        let reduced = consumer.shared.reduced.load(ordering: .acquiring)
        guard reduced != consumer.shared.snapshotVersion.load(ordering: .acquiring), !cell.isRunningHere else { return }
        if consumer.baton.tryTake() { return publishHolding() }
        // Relaxed: the pipeline publishes at the end of this turn or of the next one.
        let others = consumer.shared.needsPublication.bitwiseOr(
            PublishedCounters.readersNeedIt,
            ordering: .relaxed
        )
        // Published by the turn before.
        guard others.oldValue == 0 else { return }
        if mayWait { publishAndWait() }
    }

    /// Publishes as the holder of the baton, which it gives back.
    private func publishHolding() {
        consumer.asConsumer {
            // Inside a read section no code of the user runs, and no subscriber.
            if subscribers.isEmpty || !ReadSection.isOngoing { consumer.publishIfDirty() }
        }
        if CallerEngine.giveBack(consumer) { host?.wake() }
    }

    /// Out of line, because most reads find the state published.
    @inline(never)
    private func publishAndWait() {
        let gate = Latch()
        let isOpen = sendBarrier(.reduced) { gate.open() }
        // Closed: the pipeline still finishes and publishes all pending actions.
        let latch = isOpen ? gate : consumer.finished
        guard let world = consumer.world else { return latch.wait() }
        while !world.block("waits for the state", atMost: .max, until: { latch.wait(nanoseconds: 0) }) {}
    }
}
