// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRuntime

// What a read on another thread does first in a store that is read on demand.
extension StoreCore {
    /// Has the pipeline reduce and publish all actions dispatched until now, and waits until it has.
    @usableFromInline
    func freshen() {
        if consumer.isLazy { return freshenLazily() }
        // In this order, because most reads find the state published, and then nobody has to ask whether they may wait.
        if !Frames.isRunningAny, consumer.isSnapshotOld, mayWait { publishAndWait() }
    }

    /// Two pipelines must not wait for each other; no thread may wait inside a read section; and a job on the store's own
    /// queue would wait forever for a turn of that queue.
    private var mayWait: Bool { !Frames.isRunningAny && !ReadSection.isOngoing && !waitsForItself }

    private func freshenLazily() {
        switch consumer.publishHere() {
        case .done: break
        case .more: host?.wake()
        case .busy: if mayWait { publishAndWait() }
        }
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
