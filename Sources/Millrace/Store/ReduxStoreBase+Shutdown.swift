// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension ReduxStoreBase {
    /// Takes no more actions from outside; what is pending will be finished, then the middlewares are released.
    ///
    /// Does not wait; ``shutdown(deadline:)`` does. Producers that wait for room are freed, and their actions rejected.
    /// What the pipeline itself dispatches is still taken. Any thread, also inside a handler; a second call does
    /// nothing. With ``StoreEngine/caller`` the pending actions are finished by this call, unless it is made inside
    /// ``withState(_:)`` or a handler, or another thread is draining.
    public final func close() {
        core.close()
    }

    /// Ends the store in good order: closes it, waits until what is pending is finished, up to a deadline, and reports.
    ///
    /// At the deadline the action that is running is the last one: what still waits is thrown away, and what the
    /// pipeline dispatches is rejected. If that action does not come to an end either, the report names the handler
    /// that is stuck, and this returns nevertheless; the pipeline then ends by itself when the handler returns. The same
    /// holds for threads that stay inside ``withState(_:)`` of any store of the process: the end waits for them, because it
    /// cannot tell them from threads that are dispatching to this store; the report names them.
    ///
    /// At the end the store releases its middlewares, and the effects that it has started are cancelled.
    ///
    /// - Parameter deadline: From now. The call takes at most a second longer, a quarter of one if threads inside
    ///   ``withState(_:)`` block the end.
    /// - Returns: What became of the actions. A second call waits for the same end and reports what happened since.
    ///
    /// Suspends, blocks no thread, and goes on when the task is cancelled. It may be called from anywhere, also from a
    /// task that a handler starts; a handler that blocks until it returns is found to be stuck.
    public final func shutdown(deadline: Duration = .seconds(30)) async -> ShutdownReport {
        await core.shutdown(deadline, since: .now, core.metrics)
    }
}

extension StoreCore {
    func shutdown(
        _ deadline: Duration,
        since start: ContinuousClock.Instant,
        _ before: StoreMetrics
    ) async -> ShutdownReport {
        closeElsewhere()
        var isComplete = await consumer.completion.wait(atMost: deadline - (.now - start))
        if !isComplete {
            abandon()
            // No action starts any more. What runs on after this time is stuck; where nothing runs, the pipeline was
            // only not given a processor yet.
            isComplete = await consumer.completion.wait(atMost: .milliseconds(200))
        }
        let stuck = isComplete ? nil : consumer.stuckHandler()
        var readers: [ReadingThread] = []
        if !isComplete, stuck == nil {
            if !consumer.hasIntakeEnded { readers = await ReadingThread.staying() }
            // They may stay for long, and the pipeline cannot end before they leave.
            isComplete = await consumer.completion.wait(atMost: readers.isEmpty ? .milliseconds(700) : .zero)
        }
        let isInAction = stuck.map { $0.stage != .notifying } ?? false
        let after = stuck.flatMap { isInAction ? metrics(duringActionAt: $0.actionNumber - 1) : nil } ?? metrics
        return ShutdownReport(
            isComplete: isComplete,
            reduced: after.reduced - before.reduced,
            discarded: consumer.shared.abandoned.load(ordering: .relaxed),
            rejected: after.rejected - min(after.rejected, before.rejected),
            pending: after.pending,
            stuckHandler: stuck,
            readers: isComplete ? [] : readers,
            elapsed: ContinuousClock.now - start,
            metrics: after
        )
    }
}
