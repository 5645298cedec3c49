// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import Glibc
import Synchronization

/// Runs a pipeline on a dispatch queue: one `async` a burst, in turns that leave the queue to others in between.
///
/// The baton says that a turn was submitted or is running; whoever takes it submits one. On a queue of the user's the
/// baton is also what makes one consumer of many threads, as the queue may be concurrent. On the main queue being on
/// that queue is, so that a dispatch made there can drain at once, whether or not a turn was submitted.
final class QueueEngine: @unchecked Sendable {
    // Unchecked because `core` is not counted: the core holds this, and every turn holds the core.
    private let consumer: Consumer
    private unowned(unsafe) let core: any AnyObject & Sendable
    private let queue: DispatchQueue
    private let isMain: Bool
    /// Marks the queue, so that a thread can be asked whether it runs on it.
    private let mark: DispatchSpecificKey<Bool>
    /// Ticks at which the earliest timer fires that counts; 0: none is set.
    let timer = Atomic<UInt64>(0)
    /// A timer fired while a turn was submitted or running.
    private let missedTimer = Atomic<Bool>(false)
    /// A turn of the main queue came while the main queue ran an action of this store, in a nested run loop.
    @exclusivity(unchecked) private var missedTurn = false
    /// Up to which position everything is given back.
    @exclusivity(unchecked) private var tidyPosition: UInt64 = 0
    /// Ticks of the last turn that left something; the consumer's.
    @exclusivity(unchecked) private var busyUntil: UInt64 = 0

    /// Slots between two looks at the clock, fewer if they are slow; and the most that one turn takes.
    private static var slice: Int { 64 }
    private static var turn: UInt64 { 1024 }
    private static var lingeringLooks: Int { 4 }
    private static let turnTicks = millrace_clock_from_nanoseconds(1_000_000)
    private static var quietNanoseconds: UInt64 { 50_000_000 }
    private static let quietTicks = millrace_clock_from_nanoseconds(quietNanoseconds)
    /// Set once, never taken away: every store on the main queue asks for the same mark.
    private static let mainMark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main queue; a Swift object of its own is made each time somebody asks for it.
    static func isMain(_ queue: DispatchQueue) -> Bool { queue.getSpecific(key: mainMark) == true }

    /// Whether the calling thread is running something on the main queue.
    static var isOnMain: Bool { DispatchQueue.getSpecific(key: mainMark) == true }

    /// On a queue of the user's.
    init(consumer: Consumer, core: any AnyObject & Sendable, queue: DispatchQueue) {
        self.consumer = consumer
        self.core = core
        self.queue = queue
        isMain = false
        mark = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: mark, value: true)
    }

    /// On the main queue.
    init(consumer: Consumer, core: any AnyObject & Sendable) {
        self.consumer = consumer
        self.core = core
        queue = .main
        isMain = true
        mark = Self.mainMark
    }

    deinit {
        if !isMain { queue.setSpecific(key: mark, value: nil) }
    }

    /// Whether the calling thread is running something on this queue. A look at a thread-local, no system call.
    var isOnQueue: Bool { DispatchQueue.getSpecific(key: mark) == true }

    /// Whether a turn cannot come before the calling thread goes on.
    var waitsForItself: Bool { !isMain && isOnQueue }

    /// How many timers have fired. For tests of idleness.
    let upkeeps = Atomic<Int>(0)

    /// Until the next timer; nil: none is set.
    var nanosecondsToUpkeep: UInt64? {
        let (due, now) = (timer.load(ordering: .relaxed), millrace_clock_ticks())
        return due == 0 ? nil : due > now ? millrace_clock_nanoseconds(due - now) : 0
    }

    var isUpkeepScheduled: Bool { timer.load(ordering: .relaxed) != 0 }

    /// After a push at this position. On the main queue, outside a cycle, the action is finished when this returns.
    func kick(upTo position: UInt64) {
        if isMain, isOnQueue, !millrace_frame_runs(consumer.identity), !millrace_read_ongoing() {
            drainHere(upTo: position)
        } else {
            rouse()
        }
    }

    /// Submits a turn, unless there is one.
    func rouse() {
        guard millrace_baton_try_take(consumer.baton) else { return }
        // Relaxed: a statistic.
        consumer.shared.submissions.add(1, ordering: .relaxed)
        submit()
    }

    private func submit() {
        let core = core
        queue.async { withExtendedLifetime(core) { self.runTurn() } }
    }

    // MARK: On the queue

    func runTurn() {
        if millrace_frame_runs(consumer.identity) {
            // Somebody runs the main queue inside a handler. Whoever handles that action goes on with this.
            missedTurn = true
            return
        }
        var frame = millrace_frame()
        millrace_frame_push(&frame, consumer.identity, consumer.counters)
        if consumer.arrivals.isEmpty { consumer.noteEmpty(millrace_clock_ticks()) }
        let mayHaveMore = drainSome()
        if mayHaveMore {
            busyUntil = millrace_clock_ticks()
            millrace_frame_pop(&frame)
            return submit()
        }
        var retired: RetiredPipeline?
        if consumer.isToFinish {
            retired = consumer.finish()
        } else {
            consumer.noteEmpty(millrace_clock_ticks())
            publishIfDue()
        }
        millrace_frame_pop(&frame)
        if let retired = retired.take() { consumer.end(retired) }
        consumer.noteAbsence()
        if !consumer.isFinished { scheduleUpkeep() }
        giveBack()
    }

    /// A fair share: until nothing is left, a millisecond, or so many actions. True: there may be more.
    private func drainSome() -> Bool {
        let start = millrace_clock_ticks()
        let end = consumer.queue.pointee.position &+ Self.turn
        repeat {
            let mayHaveMore = consumer.drainOnce(atMost: Self.slice)
            consumer.publishAfterBatch()
            guard mayHaveMore || lingers() else { return false }
        } while consumer.queue.pointee.position < end
            && millrace_clock_passed(start, millrace_clock_ticks()) < Self.turnTicks
        return true
    }

    /// Waits some microseconds for a producer that is only just slower than the pipeline: less than a turn costs it to
    /// submit. True: there is more. Not on the main queue, which has better things to do, nor after the end of intake: an
    /// abandoned pipeline leaves lying what is ready.
    private func lingers() -> Bool {
        guard !isMain, !consumer.isClosed, millrace_processor_count() > 1 else { return false }
        for _ in 0..<Self.lingeringLooks {
            // Looking all the time would take the line away from the producer that is writing it.
            for _ in 0..<64 { millrace_pause() }
            if millrace_queue_has_ready(consumer.queue) { return true }
        }
        return false
    }

    /// On the main queue, outside a cycle: goes on in order until the action at this position is finished.
    private func drainHere(upTo position: UInt64) {
        var frame = millrace_frame()
        millrace_frame_push(&frame, consumer.identity, consumer.counters)
        while !consumer.isFinished, consumer.queue.pointee.position <= position {
            let before = consumer.queue.pointee.position
            let left = Int(clamping: position - before + 1)
            _ = consumer.drainOnce(atMost: left)
            // A producer has claimed the slot before ours and is about to fill it.
            if consumer.queue.pointee.position == before { sched_yield() }
        }
        if consumer.pacing != .onDemand { consumer.publishIfDirty() }
        millrace_frame_pop(&frame)
        if !consumer.isFinished { scheduleUpkeep() }
        // It kept the baton.
        if missedTurn {
            missedTurn = false
            submit()
        }
    }

    private func publishIfDue() {
        guard consumer.counters.pointee.isDirty, consumer.nanosecondsToPublication() == 0 else { return }
        consumer.publishIfDirty()
    }

    // MARK: Upkeep

    /// Sets a timer if something is left to do: a publication whose time has not come, memory to be given back once it
    /// is quiet. By the consumer.
    private func scheduleUpkeep() {
        let publication = consumer.nanosecondsToPublication()
        let isTidy = consumer.queue.pointee.position == tidyPosition
        guard publication != nil || !isTidy else { return }
        // Relaxed: it changes only here and where a timer fires, and there the baton, or the mark, orders it.
        let set = timer.load(ordering: .relaxed)
        // The timer that is set will set the next.
        if publication == nil, set != 0 { return }
        let wait = min(publication ?? .max, isTidy ? .max : Self.quietNanoseconds)
        let due = millrace_clock_ticks() &+ millrace_clock_from_nanoseconds(wait)
        if set != 0, set <= due { return }
        timer.store(due, ordering: .relaxed)
        let position = wait == Self.quietNanoseconds ? consumer.queue.pointee.position : nil
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: wait))) { [weak core] in
            guard let core else { return }
            withExtendedLifetime(core) { self.upkeep(due, quietSince: position) }
        }
    }

    /// A timer fires. Another that was to come earlier may have been set since: then this one counts no more.
    func upkeep(_ due: UInt64, quietSince position: UInt64?) {
        upkeeps.add(1, ordering: .relaxed)
        guard timer.compareExchange(expected: due, desired: 0, ordering: .relaxed).exchanged else { return }
        // A turn is coming, or running, perhaps past its own look at the timer: it will see the mark. Sequentially
        // consistent, mark before baton here, baton before mark in giveBack().
        guard millrace_baton_try_take(consumer.baton) || !isMissed() else { return }
        if millrace_frame_runs(consumer.identity) {
            missedTurn = true
            return
        }
        let isQuiet =
            consumer.queue.pointee.position == position
            || millrace_clock_passed(busyUntil, millrace_clock_ticks()) > Self.quietTicks
        if isQuiet, !consumer.tidy() { tidyPosition = consumer.queue.pointee.position }
        runTurn()
    }

    private func isMissed() -> Bool {
        missedTimer.store(true, ordering: .sequentiallyConsistent)
        return !millrace_baton_try_take(consumer.baton)
    }

    /// Ends the turn. A store whose intake ended after the last look is finished in the next one, and a timer that fired
    /// meanwhile is served there.
    func giveBack() {
        if millrace_queue_hand_over(consumer.queue, consumer.baton) || consumer.isToFinish
            || missedTimer.exchange(false, ordering: .sequentiallyConsistent)
        {
            rouse()
        }
    }
}
