// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRuntime

// Each read from outside the pipeline calls `freshen()` first, if the store publishes on demand.
extension StoreCore {
    /// Publishes the state after all actions dispatched until now, and waits for that where this thread may wait.
    /// Otherwise the read gets the state that was published last.
    @usableFromInline
    func freshen() {
        if consumer.isLazy { return freshenLazily() }
        // `mayWait` comes last: most reads find the newest state published, and then it is not needed.
        if !Frames.isRunningAny, consumer.isSnapshotOld, mayWait { publishAndWait() }
    }

    /// Whether this thread may wait for the pipeline. Two pipelines must not wait for each other; no thread may wait
    /// inside a read section; and a job on the store's own queue would wait forever for a turn of that queue.
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
        let reduced = Latch()
        let isSent = sendBarrier(.reduced) { reduced.open() }
        // A store that takes no more messages publishes its last state at its end.
        let latch = isSent ? reduced : consumer.finished
        guard let world = consumer.world else { return latch.wait() }
        while !world.block("waits for the state", atMost: .max, until: { latch.wait(nanoseconds: 0) }) {}
    }
}
