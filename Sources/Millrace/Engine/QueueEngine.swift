// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// Runs a pipeline on a dispatch queue, in turns that leave the queue to other work in between. A burst of actions
/// costs one `async`.
///
/// While the baton is held, a turn is submitted or running; the thread that takes the baton submits a turn. A queue of
/// the user's may be concurrent: there the baton also makes sure that only one thread consumes. On the serial main
/// queue, only the thread that runs the queue's work consumes. So a dispatch made there can drain at once, whether or
/// not a turn was submitted.
final class QueueEngine: PipelineHost, @unchecked Sendable {
    // Unchecked because `core` is not retained: the core holds this engine, and every turn holds the core.
    private let consumer: Consumer
    private unowned(unsafe) let core: any AnyObject & Sendable
    private let queue: DispatchQueue
    private let isMain: Bool
    /// Whether a turn may wait for a producer that runs beside it. Asked once: the answer takes a system call.
    private let hasProcessorsBeside = System.processors > 1
    /// Marks the queue, so that a thread can find out whether it runs on it.
    private let mark: DispatchSpecificKey<Bool>
    /// Ticks at which the earliest valid timer fires; 0: none is set.
    let timer = Atomic<UInt64>(0)
    /// Whether a timer fired while a turn was submitted or running.
    private let missedTimer = Atomic<Bool>(false)
    /// Whether a turn of the main queue came in a nested run loop, while an action of this store was handled there.
    @exclusivity(unchecked) private var missedTurn = false
    /// The consumer's position when all spare memory was last given back. Belongs to the consumer.
    @exclusivity(unchecked) private var tidyPosition: UInt64 = 0
    /// Ticks at the end of the last turn that left actions waiting. Belongs to the consumer.
    @exclusivity(unchecked) private var busyUntil: UInt64 = 0

    /// The slots between two reads of the clock, fewer if actions are slow; and the slots after which a turn ends.
    private static var slice: Int { 64 }
    private static var turn: UInt64 { 1024 }
    private static var lingeringLooks: Int { 4 }
    private static let turnTicks = TickClock.ticks(nanoseconds: 1_000_000)
    private static var quietNanoseconds: UInt64 { 50_000_000 }
    private static var longestWait: UInt64 { 24 * 60 * 60 * 1_000_000_000 }
    private static let quietTicks = TickClock.ticks(nanoseconds: quietNanoseconds)
    /// Set once, and never removed: all stores on the main queue use the same mark.
    private static let mainMark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main queue. Identity does not tell, because each access makes a new Swift object.
    static func isMain(_ queue: DispatchQueue) -> Bool { queue.getSpecific(key: mainMark) == true }

    /// Whether the calling thread is running work of the main queue.
    static var isOnMain: Bool { DispatchQueue.getSpecific(key: mainMark) == true }

    /// Creates an engine for a queue of the user's.
    init(consumer: Consumer, core: any AnyObject & Sendable, queue: DispatchQueue) {
        self.consumer = consumer
        self.core = core
        self.queue = queue
        isMain = false
        mark = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: mark, value: true)
    }

    /// Creates an engine for the main queue.
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

    /// Whether the calling thread is running work of this queue. Reads a thread-local; no system call.
    package var hasQueue: Bool { true }
    package var isOnQueue: Bool { DispatchQueue.getSpecific(key: mark) == true }

    /// Whether a turn cannot run before the calling thread goes on.
    package var waitsForItself: Bool { !isMain && isOnQueue }
    package var runsOnCallers: Bool { isMain }

    /// The number of timers that have fired. For tests of idleness.
    let upkeeps = Atomic<Int>(0)

    /// The time until the next timer; nil: none is set.
    var nanosecondsToUpkeep: UInt64? {
        let (due, now) = (timer.load(ordering: .relaxed), TickClock.now)
        return due == 0 ? nil : due > now ? TickClock.nanoseconds(due - now) : 0
    }

    package var isUpkeepScheduled: Bool { timer.load(ordering: .relaxed) != 0 }

    /// Makes sure that a push at this position is handled. On the main queue, outside a pipeline cycle and a read
    /// section, the action is finished when this returns.
    package func kick(upTo position: UInt64) {
        if isMain, isOnQueue, !Frames.isRunning(consumer.identity), !ReadSection.isOngoing {
            drainHere(upTo: position)
        } else {
            wake()
        }
    }

    /// As ``kick(upTo:)``, for the urgent actions that wait.
    package func wakeForUrgent() {
        if isMain, isOnQueue, !Frames.isRunning(consumer.identity), !ReadSection.isOngoing {
            drainHere(upTo: nil, urgent: consumer.urgent.queue?.claimed ?? 0)
        } else {
            wake()
        }
    }

    /// Submits a turn, unless one is submitted or running.
    package func wake() {
        guard consumer.baton.tryTake() else { return }
        // Relaxed: a statistic.
        consumer.shared.submissions.add(1, ordering: .relaxed)
        submit()
    }

    /// Ends an idle pipeline at once: an object that a middleware owns is gone when the last reference to its store is.
    /// Not inside an action or `withState`, where no destructor may run; and a state that is not published yet is
    /// published on the queue.
    ///
    /// On the main queue a message drains there without the baton. One may come through a weak reference to the core,
    /// as that of a subscription. So messages are refused before the second look at the references: a thread that has
    /// sent one before holds the core until it is handled.
    package func finishIdle(while isHeldOnce: () -> Bool) -> Bool {
        guard consumer.isToFinish, !Frames.isRunning(consumer.identity), !ReadSection.isOngoing,
            consumer.baton.tryTake()
        else { return false }
        consumer.refuseMessages()
        guard isHeldOnce(), !consumer.hasWork, !consumer.counters.pointee.isDirty else {
            submit()
            return true
        }
        consumer.end(consumer.asConsumer { consumer.finish() })
        consumer.noteAbsence()
        giveBack()
        return true
    }

    private func submit() {
        let core = core
        queue.async { withExtendedLifetime(core) { self.runTurn() } }
    }

    // MARK: On the queue

    func runTurn() {
        if Frames.isRunning(consumer.identity) {
            // A handler runs the main queue in a nested run loop. The thread that handles its action submits this turn
            // again.
            missedTurn = true
            return
        }
        var retired: RetiredPipeline?
        let mayHaveMore = consumer.asConsumer {
            consumer.beginTurn(TickClock.now)
            if drainSome() { return true }
            if consumer.isToFinish {
                retired = consumer.finish()
            } else {
                consumer.endTurn(TickClock.now)
                publishIfDue()
            }
            return consumer.hasInternal
        }
        if mayHaveMore {
            busyUntil = TickClock.now
            return submit()
        }
        if let retired = retired.take() { consumer.end(retired) }
        // Before the look at `timer`, and only here: see lookAgain(). Sequentially consistent: if this does not read the
        // mark of a timer that has fired, that mark is seen when the baton is given back.
        _ = missedTimer.exchange(false, ordering: .sequentiallyConsistent)
        if !consumer.isFinished { scheduleUpkeep() }
        giveBack()
    }

    /// Drains until nothing is left, or the turn has lasted a millisecond or reached its number of slots. Returns true
    /// if there may be more.
    private func drainSome() -> Bool {
        let start = TickClock.now
        let end = consumer.queue.position &+ Self.turn
        repeat {
            let mayHaveMore = consumer.drainOnce(atMost: Self.slice)
            consumer.publishAfterBatch()
            guard mayHaveMore || lingers() else { return false }
        } while consumer.queue.position < end
            && TickClock.between(start, TickClock.now) < Self.turnTicks
        return true
    }

    /// Waits some microseconds for a producer that is only slightly slower than the pipeline: less time than a new turn
    /// would cost that producer. Returns true if there is more. Not on the main queue, which has other work, and not
    /// once the store is closed: an abandoned pipeline does not handle the slots that are ready.
    private func lingers() -> Bool {
        guard !isMain, !consumer.isClosed, hasProcessorsBeside else { return false }
        for _ in 0..<Self.lingeringLooks {
            // Reading without pauses would take the cache line away from the producer that writes it.
            System.pause(64)
            if consumer.queue.hasReady { return true }
        }
        return consumer.queue.hasReadyBehindGap
    }

    /// Drains on the main queue, in order, until the action at this position is finished, and with it the actions that
    /// come before all others. Nil: only those. Not inside a pipeline cycle.
    ///
    /// - Parameter urgent: So many positions of the queue of urgent actions are finished, too.
    private func drainHere(upTo position: UInt64?, urgent: UInt64 = 0) {
        consumer.asConsumer {
            repeat {
                while !consumer.isFinished {
                    let before = consumer.queue.position
                    if let position, before <= position, !isHandledBehindGap(position) {
                        let isMore = consumer.drainOnce(atMost: Int(clamping: position - before + 1))
                        if consumer.queue.position == before { passBefore(isMore) }
                    } else if consumer.hasBesides {
                        // A long chain is published meanwhile.
                        if consumer.drainOnce(onlyBesides: true) { consumer.publishAfterBatch() }
                    } else if let queue = consumer.urgent.queue, queue.passed < urgent {
                        // The same in the queue of urgent actions. The producer sets the mark only after it has filled
                        // its slot.
                        if queue.front() != nil { consumer.stage.askUrgent() } else { sched_yield() }
                    } else {
                        break
                    }
                }
                // Calls subscribers, whose actions may be internal.
                if consumer.pacing != .onDemand { consumer.publishIfDirty() }
            } while consumer.hasInternal
        }
        if !consumer.isFinished { scheduleUpkeep() }
        // The missed turn still holds the baton.
        if missedTurn {
            missedTurn = false
            submit()
        }
    }

    /// Whether the action at this position was handled, while a producer of an older one is stopped.
    private func isHandledBehindGap(_ position: UInt64) -> Bool {
        consumer.queue.hasGap && consumer.queue.isHandled(position)
    }

    /// Handles and publishes what comes before the action that a dispatch waits for: urgent and internal actions. Lets
    /// a producer run that has claimed the slot before that action and is about to fill it.
    private func passBefore(_ isMore: Bool) {
        while consumer.drainOnce(onlyBesides: true) { consumer.publishAfterBatch() }
        consumer.publishAfterBatch()
        if !isMore { sched_yield() }
    }

    private func publishIfDue() {
        guard consumer.counters.pointee.isDirty, consumer.nanosecondsToPublication() == 0 else { return }
        consumer.publishIfDirty()
    }

    // MARK: Upkeep

    /// Sets a timer if something is left to do: a publication that is not due yet, or spare memory to give back later.
    /// The consumer calls it.
    private func scheduleUpkeep() {
        let publication = consumer.nanosecondsToPublication()
        let isTidy = consumer.position == tidyPosition
        guard publication != nil || !isTidy else { return }
        // Relaxed: `timer` changes only here and where a timer fires; the baton, or `missedTimer`, orders the two.
        let set = timer.load(ordering: .relaxed)
        // The timer that is already set will set the next one.
        if publication == nil, set != 0 { return }
        // A day at most: the sum below must not wrap around. A timer that fires too early sets the next one.
        let wait = min(publication ?? .max, isTidy ? Self.longestWait : Self.quietNanoseconds, Self.longestWait)
        let due = TickClock.now &+ TickClock.ticks(nanoseconds: wait)
        if set != 0, set <= due { return }
        timer.store(due, ordering: .relaxed)
        let position = wait == Self.quietNanoseconds ? consumer.position : nil
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: wait))) { [weak core] in
            guard let core else { return }
            withExtendedLifetime(core) { self.upkeep(due, quietSince: position) }
        }
    }

    /// Runs when a timer fires. Does nothing if an earlier timer was set since, because this one is no longer valid.
    func upkeep(_ due: UInt64, quietSince position: UInt64?) {
        upkeeps.add(1, ordering: .relaxed)
        guard timer.compareExchange(expected: due, desired: 0, ordering: .relaxed).exchanged else { return }
        // A turn is submitted or running, and may already be past its own check of the timer: it will see
        // `missedTimer`. Sequentially consistent: the mark before the baton here, the baton before the mark in
        // giveBack().
        guard consumer.baton.tryTake() || !isMissed() else { return }
        if Frames.isRunning(consumer.identity) {
            missedTurn = true
            return
        }
        let isQuiet =
            consumer.position == position
            || TickClock.between(busyUntil, TickClock.now) > Self.quietTicks
        if isQuiet, !consumer.tidy() { tidyPosition = consumer.position }
        runTurn()
    }

    private func isMissed() -> Bool {
        missedTimer.store(true, ordering: .sequentiallyConsistent)
        return !consumer.baton.tryTake()
    }

    /// Ends the turn. Submits another one if actions are left, if the intake ended after the last check, or if a timer
    /// fired meanwhile.
    func giveBack() {
        lookAgain(hasMore: consumer.queue.handOver(consumer.baton))
    }

    /// The look after the baton was given back. The mark of a missed timer stays: on a concurrent queue another turn may
    /// have the baton by now, and may have looked at `timer` before it fired. Then that turn has to see the mark.
    func lookAgain(hasMore: Bool) {
        if hasMore || consumer.isToFinish || consumer.mustLookAgain
            || missedTimer.load(ordering: .sequentiallyConsistent)
        {
            wake()
        }
    }
}
