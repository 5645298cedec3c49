// SPDX-License-Identifier: Apache-2.0

public import CMillrace
import MillraceCore
import Synchronization

/// The part of a store that consumes, without its types: whoever runs it needs no generic code.
///
/// Everything that is `var`, and what `counters` points to, belongs to the consumer: the store's thread, or whoever
/// holds the baton. The role passes with the doorbell's and the baton's acquire and release, so no access is checked
/// again.
@usableFromInline
final class Consumer: @unchecked Sendable {
    // Unchecked for that reason.
    @usableFromInline let queue: UnsafeMutablePointer<millrace_queue>
    @usableFromInline let counters: UnsafeMutablePointer<Counters>
    @usableFromInline let baton: UnsafeMutablePointer<millrace_baton>
    @usableFromInline let shared = PublishedCounters()
    @usableFromInline let pacing: Pacing
    /// Marks the frames of this store's pipeline.
    @usableFromInline let identity: UnsafeRawPointer

    @usableFromInline let stage: UnsafeMutablePointer<millrace_stage>
    /// The bound of the queue; nil when it has none.
    @usableFromInline let admission: Admission?
    /// Where the store is in its life. Any thread.
    let lifecycle = LifecycleMachine()
    let completion = Completion()
    /// Opens when the pipeline has gone, before what it leaves is released.
    let finished = Latch()
    /// One inspector at a time; the consumer waits for it, so it must not be held up.
    let inspection = Locked(())

    /// The pipeline; nil after the end.
    @usableFromInline @exclusivity(unchecked) var entry: PipelineEntry?
    /// Constant once the store is shared.
    @usableFromInline @exclusivity(unchecked) var names: PipelineNames?
    @usableFromInline @exclusivity(unchecked) var probe: ProbeBox?
    /// Who measures the effects of the store, those of plugins included. Any thread.
    let effects = EffectProbeCell()
    /// Messages for which the queue had no memory, sent by the pipeline itself: the first and the last.
    @exclusivity(unchecked) private var late: (first: PipelineMessage, last: PipelineMessage)?
    @exclusivity(unchecked) private var isInBatch = false
    @exclusivity(unchecked) var arrivals = ArrivalMarks()
    @exclusivity(unchecked) private var budget: BatchBudget
    /// Actions thrown away before the store was abandoned; nil: it was not.
    @exclusivity(unchecked) private var discardedBefore: UInt64?

    @usableFromInline
    init(
        queue: UnsafeMutablePointer<millrace_queue>,
        publication: Publication,
        capacity: StoreCapacity,
        identity: UnsafeRawPointer,
        stage: UnsafeMutablePointer<millrace_stage>
    ) {
        self.queue = queue
        self.identity = identity
        self.stage = stage
        pacing = Pacing(publication)
        admission = capacity.actions.map { Admission(queue: queue, capacity: $0, overflow: capacity.overflow) }
        // Of a small capacity a quarter: whoever waits for room waits for the end of a batch.
        budget = BatchBudget(atMost: min(512, max(1, (capacity.actions ?? .max) / 4)))
        counters = .allocate(capacity: 1)
        counters.initialize(to: Counters())
        Counters.registerTakeUpTime()
        baton = .allocate(capacity: 1)
        baton.initialize(to: millrace_baton())
    }

    deinit {
        counters.deallocate()
        baton.deallocate()
    }

    /// Whether the store was closed.
    @inlinable
    var isClosed: Bool { millrace_queue_mode_now(queue) & UInt32(MILLRACE_MODE_CLOSED) != 0 }

    /// Whether every producer that found the store open has put its action in: from here on nobody comes any more but the
    /// pipeline and messages.
    var hasIntakeEnded: Bool { lifecycle.current >= .draining }

    /// Whether the next turn is to be the last one.
    var isToFinish: Bool { lifecycle.current == .draining }

    /// Whether the pipeline has gone.
    var isFinished: Bool { lifecycle.current >= .finished }

    /// Whether nothing is to be handled any more, though it waits.
    @usableFromInline
    var isAbandoned: Bool { millrace_stage_attention(stage) & MILLRACE_ATTENTION_ABANDON != 0 }

    /// Between two actions, when somebody asked for attention. True: stop here.
    @usableFromInline
    func attend() -> Bool {
        millrace_stage_attend(stage) & MILLRACE_ATTENTION_ABANDON != 0
    }

    /// One batch. False: nothing was there, or nothing is left.
    func drainOnce(atMost limit: Int = .max) -> Bool {
        guard entry != nil else { return false }
        if isAbandoned {
            discardAll()
            return false
        }
        millrace_queue_consumer_enter(queue)
        let before = queue.pointee.position
        let limit = min(limit, budget.limit)
        isInBatch = true
        makeRoom(handling: limit)
        let taken = entry?.drain(limit) ?? 0
        isInBatch = false
        deliverLate()
        let isFull = taken == limit
        if queue.pointee.position != before {
            counters.pointee.batches &+= 1
            noteDepth(taken, isFull)
            report()
        } else {
            budget.empty(after: 0)
            if millrace_queue_is_stalled(queue) { counters.pointee.stalls &+= 1 }
        }
        millrace_queue_consumer_leave(queue)
        return isFull
    }

    /// Throws away what is too much, oldest first. Control actions that are in the way are handled, up to so many.
    private func makeRoom(handling limit: Int) {
        guard let admission, admission.overflow == .dropOldest else { return }
        let depth = millrace_queue_depth_hint(queue)
        // Messages take no action's place. Relaxed: one too few costs nothing but an early look.
        let messages = shared.messagesOffered.load(ordering: .relaxed) &- counters.pointee.messages
        let surplus = admission.surplus(of: depth, beside: messages)
        guard surplus > 0, let entry else { return }
        noteHighWater(depth)
        if entry.discard(Int(surplus), limit) > 0 { report() }
    }

    private func noteHighWater(_ depth: UInt64) {
        if depth > counters.pointee.highWater { counters.pointee.highWater = depth }
    }

    /// The counters' high-water mark and, after a full batch, a mark of how far the tail has come.
    private func noteDepth(_ taken: Int, _ isFull: Bool) {
        var depth = UInt64(taken)
        if !isFull {
            arrivals.clear()
            budget.empty(after: taken)
        } else if taken > 1 || budget.limit == 1 {
            let now = millrace_clock_ticks()
            budget.full(at: now)
            // The hint counts from what was reported last, so what this batch took is in it.
            depth = millrace_queue_depth_hint(queue)
            let consumed = millrace_queue_consumed(queue)
            arrivals.append(tail: consumed &+ depth, now)
        }
        noteHighWater(depth)
    }

    private func report() {
        // Relaxed: a statistic.
        shared.oldestSince.store(arrivals.isEmpty ? 0 : arrivals.since(queue.pointee.position), ordering: .relaxed)
        shared.report(counters.pointee)
        guard let admission else { return millrace_queue_report(queue) }
        millrace_queue_report_fully(queue)
        admission.serveWaiters()
    }

    /// An action's effect run was revoked. Told at once, so that how many were reduced can be told from the position.
    @usableFromInline
    func noteCancelled() {
        counters.pointee.cancelled &+= 1
        shared.cancelled.store(counters.pointee.cancelled, ordering: .relaxed)
    }

    /// An action that waited was dropped. Told at once, for the same reason.
    @usableFromInline
    func noteDiscarded() {
        counters.pointee.discarded &+= 1
        shared.discarded.store(counters.pointee.discarded, ordering: .relaxed)
    }

    /// The queue was found empty at this time; what waits from now on has come later.
    func noteEmpty(_ ticks: UInt64) {
        budget.idle(at: ticks)
        arrivals.restart(at: queue.pointee.position, ticks)
        shared.oldestSince.store(ticks, ordering: .relaxed)
    }

    /// The consumer stops looking: how long what comes next waits is for the reader to find out.
    func noteAbsence() {
        shared.oldestSince.store(0, ordering: .relaxed)
    }

    /// Shows the state to everybody, if it may have changed.
    func publishIfDirty() {
        if counters.pointee.isDirty { entry?.publish() }
        // What the snapshot tells: everything the consumer has gone past. Releasing, pairs with freshen().
        shared.snapshotPosition.store(queue.pointee.position, ordering: .releasing)
    }

    /// Publishes if the pacing asks for it at the end of a batch.
    func publishAfterBatch() {
        guard counters.pointee.isDirty else { return }
        switch pacing {
        case .everyAction, .batch: publishIfDirty()
        case .atMost(let ticks):
            if millrace_clock_passed(counters.pointee.published, millrace_clock_ticks()) >= ticks { publishIfDirty() }
        case .onDemand: break
        }
    }

    /// Nil: nothing to publish. 0: at once.
    func nanosecondsToPublication() -> UInt64? {
        guard counters.pointee.isDirty else { return nil }
        switch pacing {
        case .onDemand: return nil
        case .everyAction, .batch: return 0
        case .atMost(let ticks):
            let passed = millrace_clock_passed(counters.pointee.published, millrace_clock_ticks())
            return passed >= ticks ? 0 : max(1, millrace_clock_nanoseconds(ticks - passed))
        }
    }

    /// Gives back the memory that a busy time has left. Returns whether some can not be given back yet.
    func tidy() -> Bool {
        millrace_queue_consumer_enter(queue)
        millrace_queue_trim(queue)
        millrace_queue_consumer_leave(queue)
        return entry?.reclaim() ?? false
    }

    /// Finishes what is pending and gives the pipeline away, hence the middlewares, for the caller to release.
    ///
    /// Once the intake has ended: every producer that found the store open has published.
    func finish() -> RetiredPipeline {
        // From here on only the pipeline itself puts something into the queue.
        shared.messageIntake.withLock { $0.isClosed = true }
        repeat {
            while drainOnce() {}
            publishIfDirty()  // may tell subscribers, which may dispatch
        } while millrace_queue_front(queue) != nil
        let retired = RetiredPipeline(entry: entry, probe: probe, subscribers: entry?.removeSubscribers())
        (entry, probe) = (nil, nil)
        lifecycle.finish()
        finished.open()
        return retired
    }

    /// Delivers the messages that wait, and throws everything else away.
    private func discardAll() {
        millrace_queue_consumer_enter(queue)
        // What is thrown away from the first time on, however often this is called.
        let before = discardedBefore ?? counters.pointee.discarded
        discardedBefore = before
        while let entry, entry.discard(.max, 0) > 0 {
            // Relaxed: a statistic.
            shared.abandoned.store(counters.pointee.discarded - before, ordering: .relaxed)
            report()
        }
        millrace_queue_consumer_leave(queue)
    }

    /// After `finish`, on any thread: releases what the pipeline has left, then tells who waits for the end.
    func end(_ retired: consuming RetiredPipeline) {
        _ = consume retired
        lifecycle.end()
        completion.complete()
    }

    /// Delivers a message of the pipeline's own for which the queue has no memory: out of turn, but never inside an
    /// action, as it may change what the action is handled by.
    func deliverOutOfTurn(_ message: PipelineMessage) {
        guard isInBatch else { return message.deliver() }
        guard let (first, last) = late else { return late = (message, message) }
        last.next = message
        late = (first, message)
    }

    /// After a batch.
    private func deliverLate() {
        while let (first, _) = late {
            late = nil
            var message = Optional(first)
            while let current = message {
                message = current.next
                current.next = nil
                current.deliver()
            }
        }
    }

    /// A message: takes it, goes past its slot, and delivers it.
    @usableFromInline
    func takeMessage(_ slot: UnsafeMutablePointer<UInt8>) {
        let message = Slot.takeMessage(UnsafeMutableRawPointer(slot))
        millrace_queue_pop(queue)
        counters.pointee.messages &+= 1
        // Who waits for the message reads the counters next.
        report()
        message.deliver()
    }
}
