// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension ReduxStoreBase {
    /// Stops accepting actions from outside the pipeline. The pipeline finishes the pending actions, then releases the
    /// middlewares.
    ///
    /// Does not wait; ``shutdown(deadline:)`` does. Producers that wait for room are freed, and their actions are
    /// rejected. Actions that the pipeline itself dispatches are still accepted. Any thread, also inside a handler; a
    /// second call does nothing. With ``StoreEngine/caller`` this call finishes the pending actions, unless it is made
    /// inside ``withState(_:)`` or a handler, or another thread is draining the queue.
    public final func close() {
        core.close()
    }

    /// Closes the store, waits until the pending actions are finished or a deadline has passed, and returns a report.
    ///
    /// At the deadline the running action is the last one: actions that still wait, urgent and internal ones too, are
    /// dropped, and actions that the pipeline dispatches are rejected. If the running action does not finish either,
    /// the method returns nevertheless, and the report names the stuck handler. The pipeline then ends by itself when
    /// the handler returns.
    ///
    /// Threads that stay inside ``withState(_:)`` of any store in the process also delay the end, because the store
    /// cannot tell them from threads that are dispatching to it. The report names them. A thread that was stopped in the
    /// middle of a dispatch delays the end, too, but has no name in the report: see ``StoreMetrics/stalledProducer``.
    ///
    /// A store with a journal writes everything to its files before the end. At the deadline it drops the IOs and
    /// effects that wait for the journal: ``ShutdownReport/droppedHeld``.
    ///
    /// At the end the store releases its middlewares, and the effects that the store has started are cancelled.
    ///
    /// - Parameter deadline: The time from now until the deadline. With a stuck handler the call takes 0.2 s longer:
    ///   for so long it waits for the running action before it calls its handler stuck. It takes at most a quarter of a
    ///   second longer if threads inside ``withState(_:)`` block the end, and at most one second in all cases. If the
    ///   time that you have is fixed, subtract this from it.
    /// - Returns: A report on the actions. A second call waits for the same end and reports what happened since that
    ///   call.
    ///
    /// The method suspends, blocks no thread, and keeps waiting when the task is cancelled. It may be called from
    /// anywhere, also from a task that a handler starts. A handler that blocks until the method returns is reported as
    /// stuck.
    public final func shutdown(deadline: Duration = .seconds(30)) async -> ShutdownReport {
        await core.shutdown(deadline, since: core.consumer.now, core.metrics)
    }
}

extension StoreCore {
    func shutdown(
        _ deadline: Duration,
        since start: UInt64,
        _ before: StoreMetrics
    ) async -> ShutdownReport {
        let droppedBefore = consumer.journal?.droppedCount.load(ordering: .relaxed) ?? 0
        closeElsewhere()
        var isComplete = await consumer.completion.wait(atMost: deadline - elapsed(since: start))
        if !isComplete {
            abandon()
            // No action starts any more. A handler that runs longer than this is stuck. If none runs, the pipeline has
            // just not been scheduled yet.
            isComplete = await consumer.completion.wait(atMost: .milliseconds(200))
        }
        let stuck = isComplete ? nil : consumer.stuckHandler()
        var readers: [ReadingThread] = []
        if !isComplete, stuck == nil {
            if !consumer.hasIntakeEnded { readers = await ReadingThread.staying(consumer.world) }
            // The readers may stay for long, and the pipeline cannot end before they leave.
            isComplete = await consumer.completion.wait(atMost: readers.isEmpty ? .milliseconds(700) : .zero)
        }
        let after = metrics
        // Before the dropped ones: a pipeline that ends now may have some counted twice, and none not at all.
        let held = consumer.journal?.heldCount.load(ordering: .acquiring) ?? 0
        let dropped = consumer.journal?.droppedCount.load(ordering: .relaxed) ?? 0
        return ShutdownReport(
            isComplete: isComplete,
            reduced: after.reduced - before.reduced,
            dropped: consumer.shared.abandoned.load(ordering: .relaxed),
            rejected: after.rejected - min(after.rejected, before.rejected),
            pending: after.pending,
            droppedHeld: dropped - droppedBefore,
            held: held,
            stuckHandler: stuck,
            readers: isComplete ? [] : readers,
            elapsed: elapsed(since: start),
            metrics: after
        )
    }

    /// The time since a moment of the consumer's clock.
    private func elapsed(since start: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: consumer.nanoseconds(since: start)))
    }
}
