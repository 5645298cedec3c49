// SPDX-License-Identifier: Apache-2.0

import Millrace
import Synchronization

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

/// Runs the pipeline of one store on a scheduler, in turns. At most one turn is scheduled or runs.
final class SchedulerHost<Context: Scheduler>: PipelineHost, @unchecked Sendable {
    // Unchecked: schedulers are meant to be shared; the plain variables are touched in turns only, of which one runs at a time.
    private enum Work {
        static var none: UInt8 { 0 }
        /// A turn runs, and no action or message has come since it began.
        static var running: UInt8 { 1 }
        /// A turn is scheduled, or must follow the running one.
        static var due: UInt8 { 2 }
    }

    private let scheduler: Context
    private let pipeline: HostedPipeline
    private let work = Atomic<UInt8>(Work.none)
    private var hasTimer = false
    private let isTimerOver = Atomic<Bool>(false)
    /// Whether a timer waits for a quiet time.
    private var hasQuietTimer = false
    /// Whether a turn has left actions waiting since that timer was set.
    private var wasBusy = false
    private let isQuietTimerOver = Atomic<Bool>(false)
    /// What the pipeline had done when all memory of a busy time was given back.
    private var tidyProgress: UInt64 = 0
    /// For so long no turn may leave actions waiting before memory is given back.
    private static var quiet: Context.SchedulerTimeType.Stride { .milliseconds(50) }

    init(_ scheduler: Context, _ pipeline: HostedPipeline) {
        self.scheduler = scheduler
        self.pipeline = pipeline
    }

    package func kick(upTo position: UInt64) { wake() }

    package func wake() {
        // Acquiring and releasing, pairs with the compare-exchange at the end of a turn: that one either sees this
        // value, or comes before it.
        if work.exchange(Work.due, ordering: .acquiringAndReleasing) == Work.none { schedule() }
    }

    private func schedule() {
        // Keeps the store's core, which holds this object, until the turn is over.
        let core = pipeline.core
        scheduler.schedule { withExtendedLifetime(core) { self.turn() } }
    }

    private func turn() {
        // Acquiring: pairs with the end of the turn before, on another thread; and with `wake`.
        _ = work.exchange(Work.running, ordering: .acquiringAndReleasing)
        let mayHaveMore = pipeline.turn(atMost: 1_024)
        // Not after a message or one slow action: nothing may wait behind them.
        if mayHaveMore, pipeline.hasWork { wasBusy = true }
        if !mayHaveMore, !pipeline.isFinished {
            publish()
            tidy()
        }
        let isDue = mayHaveMore || pipeline.hasInternal
        if isDue { work.store(Work.due, ordering: .releasing) }  // pairs with the exchange above
        let (isOver, _) = work.compareExchange(
            expected: Work.running,
            desired: Work.none,
            ordering: .acquiringAndReleasing
        )
        if !isOver { schedule() }
    }

    /// Publishes the state if a publication is due; otherwise sets a timer for it.
    private func publish() {
        // Acquiring: pairs with the timer.
        if isTimerOver.exchange(false, ordering: .acquiringAndReleasing) { hasTimer = false }
        guard let wait = pipeline.publishIfDue(), !hasTimer else { return }
        hasTimer = true
        let interval = Context.SchedulerTimeType.Stride.nanoseconds(Int(clamping: wait &+ 1))
        // Weak: a released store publishes no more.
        scheduler.schedule(after: scheduler.now.advanced(by: interval)) { [weak self, weak core = pipeline.core] in
            guard let self, let core else { return }
            withExtendedLifetime(core) { self.publishLater() }
        }
    }

    /// Gives back the memory of a busy time if that is over for long enough; otherwise sets a timer for it.
    private func tidy() {
        // Acquiring: pairs with the timer.
        if isQuietTimerOver.exchange(false, ordering: .acquiringAndReleasing) {
            hasQuietTimer = false
            if !wasBusy, !pipeline.tidy() { tidyProgress = pipeline.progress }
        }
        guard !hasQuietTimer, pipeline.progress != tidyProgress else { return }
        hasQuietTimer = true
        wasBusy = false
        // Weak: a released store has no memory to give back.
        scheduler.schedule(after: scheduler.now.advanced(by: Self.quiet)) { [weak self, weak core = pipeline.core] in
            guard let self, let core else { return }
            withExtendedLifetime(core) {
                self.isQuietTimerOver.store(true, ordering: .releasing)  // pairs with `tidy`
                self.wake()
            }
        }
        // The scheduler does not wait: the next turn would set the next timer, and so on.
        if isQuietTimerOver.load(ordering: .acquiring) { tidyProgress = pipeline.progress }
    }

    /// Called by the timer. A turn may be running on another thread, so this only asks for a turn, which then
    /// publishes.
    private func publishLater() {
        isTimerOver.store(true, ordering: .releasing)  // pairs with `publish`
        wake()
    }
}
