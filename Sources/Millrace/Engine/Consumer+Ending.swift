// SPDX-License-Identifier: Apache-2.0

import Synchronization

// How a pipeline ends: what waits is handled, or dropped once the store was abandoned.
extension Consumer {
    /// Refuses messages from outside. Called once the intake has ended. Any thread.
    func refuseMessages() { shared.messageIntake.withLock { $0.isClosed = true } }

    /// Finishes the pending actions, and returns the parts of the pipeline, the middlewares included, for the caller to
    /// release.
    ///
    /// Called once the intake has ended: every producer that found the store open has published, or its thread has ended.
    func finish() -> RetiredPipeline {
        // From here on only the pipeline itself puts anything into the queue.
        refuseMessages()
        repeat {
            // A producer that has published an urgent action may not have set `attention` yet.
            if urgent.queue?.front() != nil { stage.askUrgent() }
            while drainOnce() {}
            isAbandoned ? journal?.dropHeld() : journal?.finishHeld()
            publishIfDirty()  // may call subscribers, which may dispatch
            // Barriers that waited for held work.
            if !barriers.isEmpty { passBarriers() }
        } while queue.front() != nil || hasBesides || dropUnpublished()
        journal?.end()
        var retired = RetiredPipeline(subscribers: entry?.removeSubscribers())
        swap(&retired.calls, &calls)
        lifecycle.finish()
        finished.open()
        return retired
    }

    /// Drops the slots that a producer claimed, and did not publish before its thread ended. Called once the intake has
    /// ended. Returns whether there was one: what is behind it can be handled now.
    private func dropUnpublished() -> Bool {
        var hasDropped = dropUnpublished(of: queue)
        if let urgent = urgent.queue, dropUnpublished(of: urgent) {
            urgent.report()
            hasDropped = true
        }
        if hasDropped { report() }
        return hasDropped
    }

    private func dropUnpublished(of queue: QueueHandle) -> Bool {
        var hasDropped = false
        while queue.dropUnpublished() {
            noteDropped()
            hasDropped = true
        }
        return hasDropped
    }

    /// Delivers the messages that wait, and drops all actions.
    @inline(never)
    func dropAll() {
        queue.enter()
        // Read only the first time, however often this is called.
        let before = droppedBefore ?? counters.pointee.droppedFromQueue
        droppedBefore = before
        // First: an effect whose answer is dropped must begin again.
        journal?.openEffects?.close()
        journal?.dropHeld()
        // Urgent and internal actions come before the messages.
        entry?.dropBeside()
        while let entry, entry.dropOldest(.max, 0) > 0 {
            // Relaxed: a statistic.
            shared.abandoned.store(counters.pointee.droppedFromQueue - before, ordering: .relaxed)
            report()
        }
        dropBehindGaps()
        entry?.dropBeside()
        shared.abandoned.store(counters.pointee.droppedFromQueue - before, ordering: .relaxed)
        report()
        queue.leave()
        if !barriers.isEmpty { passBarriers() }
    }

    /// Drops the actions behind a slot that is claimed and not published. The first call that meets the slot only notes
    /// it; the next one drops.
    private func dropBehindGaps() {
        while queue.isStalled, queue.openWindow(Self.longestWindow) {
            _ = entry?.dropOldest(.max, 0)
            queue.closeWindow()
        }
    }

    /// Releases the parts of an ended pipeline, then resumes the tasks that wait for the end. Called after `finish`, on
    /// any thread.
    func end(_ retired: consuming RetiredPipeline) {
        Self.release(retired)
        lifecycle.end()
        completion.complete()
    }

    /// A call of its own: an unoptimised build may release a consumed value only when the function returns.
    private static func release(_ retired: consuming RetiredPipeline) {}
}
