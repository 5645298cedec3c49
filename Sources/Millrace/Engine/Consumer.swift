// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import Synchronization

/// The consuming part of a store, without the store's types: an engine that runs it needs no generic code.
///
/// Every `var`, and the memory behind `counters`, belongs to the consumer: the store's thread, or the holder of the
/// baton. The role passes with the acquire and release of the baton, so Swift's exclusivity checks are off.
@usableFromInline
final class Consumer: @unchecked Sendable {
    // Unchecked because the consumer's role guards every mutable field, as described above.
    @usableFromInline let queue: QueueHandle
    @usableFromInline let counters: UnsafeMutablePointer<Counters>
    @usableFromInline let baton: Baton
    @usableFromInline let shared = PublishedCounters()
    @usableFromInline let pacing: Pacing
    /// Whether the pacing is to publish after every action.
    @usableFromInline let publishesEveryAction: Bool
    /// Whether a read on another thread publishes the state, and the pipeline does so only while somebody needs it: see
    /// ``PublishedCounters/needsPublication``.
    let isLazy: Bool
    /// Whether the pacing is to publish on demand; asked for after each turn.
    let isOnDemand: Bool
    /// The owner of the frames of this store's pipeline.
    @usableFromInline let identity: UnsafeRawPointer

    @usableFromInline let stage: Stage
    /// The actions that the pipeline dispatched itself, where they have a queue of their own.
    let internalQueue: InternalQueue?
    @usableFromInline let urgent = UrgentIntake()
    /// The number of urgent and internal actions handled in a row.
    @usableFromInline @exclusivity(unchecked) var besides: UInt64 = 0
    /// Whether their queues may hold the memory of such a row.
    @usableFromInline @exclusivity(unchecked) var hadRow = false
    /// The capacity of the queue; nil when it is unbounded.
    @usableFromInline let admission: Admission?
    /// Where the store is in its life. Any thread.
    let lifecycle = LifecycleMachine()
    /// The world that the store lives in; nil: the system.
    @usableFromInline let world: (any StoreWorld)?
    let completion: Completion
    /// Opens when the pipeline has ended, before its parts are released.
    let finished = Latch()
    /// Held by the one thread that inspects the stage. The consumer waits for this thread, so nothing may delay it.
    // A number, because an empty value has no place of its own: see NoWatcher.
    let inspection = Locked(0)

    /// What the consumer calls for its actions: the pipeline, the probe, a handler. Empty after the end.
    @usableFromInline @exclusivity(unchecked) var calls = PipelineCalls() {
        didSet {
            borrowedEntry = calls.entry.map { .passUnretained($0) }
            borrowedProbe = calls.probe.map { .passUnretained($0) }
            counters.pointee.onUnmatched = calls.onUnmatched.map { .passUnretained($0) }
        }
    }
    /// The pipeline for a batch, which the end cannot interrupt. Not retained for the call: if each dispatch is a
    /// batch, that would cost as much as half an action.
    @exclusivity(unchecked) private var borrowedEntry: Unmanaged<PipelineEntry>?
    /// The probe for a batch, for the same reason. It is set and removed by messages, which end a batch.
    @usableFromInline @exclusivity(unchecked) var borrowedProbe: Unmanaged<ProbeBox>?
    /// Constant once the store is shared.
    @usableFromInline @exclusivity(unchecked) var names: PipelineNames?
    /// The probe that measures the effects of the store, those of plugins included. Any thread.
    let effects = EffectProbeCell()
    /// Tells the probe of the copies that readers of the state make.
    let copies = CopyReporterCell()
    /// The first and the last of the messages that the pipeline sent itself when the queue had no memory.
    @exclusivity(unchecked) private var late: (first: PipelineMessage, last: PipelineMessage)?
    /// The barriers that wait for urgent actions.
    @exclusivity(unchecked) var barriers: [Barrier] = []
    /// The journal of the store; nil if it has none. Set before the store is shared.
    @exclusivity(unchecked) var journal: JournalPort?
    @exclusivity(unchecked) private var isInBatch = false
    @exclusivity(unchecked) var arrivals = ArrivalMarks()
    @exclusivity(unchecked) var budget: BatchBudget
    /// The time of the last full batch with many slots of the shared queue; 0: there was none.
    @exclusivity(unchecked) private var busyUntil: UInt64 = 0
    /// The number of actions dropped before the store was abandoned; nil: it was not abandoned.
    @exclusivity(unchecked) var droppedBefore: UInt64?

    @usableFromInline
    init(
        queue: QueueHandle,
        publication: Publication,
        capacity: StoreCapacity,
        identity: UnsafeRawPointer,
        stage: Stage,
        internalQueue: InternalQueue?,
        world: (any StoreWorld)?,
        isLazy: Bool
    ) {
        self.queue = queue
        self.world = world
        self.isLazy = isLazy
        isOnDemand = publication == .onDemand
        completion = Completion(world)
        self.internalQueue = internalQueue
        self.identity = identity
        self.stage = stage
        pacing = Pacing(publication, in: world)
        publishesEveryAction = pacing == .everyAction
        // Behind a stopped producer a bounded store handles about this number of actions at most. Each keeps its slot in
        // memory, and each publication its old state.
        if let most = capacity.actions { queue.limitAhead(max(most, 1 << 18)) }
        admission = capacity.actions.map {
            Admission(queue: queue, capacity: $0, overflow: capacity.overflow, world: world)
        }
        // With a small capacity, a quarter of it: producers that wait for room wait for the end of a batch.
        budget = BatchBudget(
            atMost: min(512, max(1, (capacity.actions ?? .max) / 4)),
            millisecond: StoreTime.count(in: .milliseconds(1), world)
        )
        counters = .allocate(capacity: 1)
        counters.initialize(to: Counters(stage: stage))
        Counters.registerTakeUpTime()
        Counters.registerUnmatchedActions()
        baton = Baton()
    }

    @inlinable var entry: PipelineEntry? { calls.entry }

    @usableFromInline var probe: ProbeBox? { calls.probe }

    /// The probe, if its loop handles every action.
    @inlinable @inline(__always)
    var borrowedProbeOfAll: Unmanaged<ProbeBox>? {
        guard let borrowedProbe, borrowedProbe._withUnsafeGuaranteedRef({ $0.seesEveryAction }) else { return nil }
        return borrowedProbe
    }

    /// The time in the unit of ``StoreTime``.
    @inlinable var now: UInt64 { world == nil ? TickClock.now : worldTime }

    @usableFromInline var worldTime: UInt64 { world?.nanoseconds ?? 0 }

    /// Returns the nanoseconds since a time of ``now``.
    func nanoseconds(since start: UInt64) -> UInt64 { StoreTime.nanoseconds(TickClock.passed(start, now), world) }

    /// Runs `body` as the consumer: in it the current thread counts as the pipeline's.
    func asConsumer<Result: ~Copyable>(_ body: () -> Result) -> Result { Frames.within(identity, counters, body) }

    deinit {
        counters.deallocate()
        baton.deallocate()
    }

    /// Whether the store was closed.
    @inlinable
    var isClosed: Bool { queue.isClosed }

    /// Whether every producer that found the store open has published its action. From here on, only the pipeline
    /// dispatches, and messages may still arrive.
    var hasIntakeEnded: Bool { lifecycle.current >= .draining }

    /// Whether the consumer is to finish the pipeline next.
    @inline(__always) var isToFinish: Bool { lifecycle.current == .draining }

    /// Whether the pipeline has ended.
    var isFinished: Bool { lifecycle.current >= .finished }

    /// Whether the store was abandoned: actions that wait are dropped, not handled.
    @inlinable
    var isAbandoned: Bool { stage.isAbandoned }

    /// Waits for a thread that inspects the stage. Called between two actions, when attention was requested. Returns
    /// the bits that are set.
    @usableFromInline
    func attend() -> UInt32 {
        stage.attend()
    }

    /// Whether internal actions wait.
    var hasInternal: Bool { !(internalQueue?.isEmpty ?? true) }

    /// Whether urgent or internal actions wait.
    @usableFromInline
    var hasBesides: Bool {
        #if MILLRACE_PLANTED
            if Planted.has(.internalOvertaken), isInBatch, !stage.isUrgent, let slot = queue.front() {
                return Slot.isMessage(slot) && hasInternal
            }
        #endif
        return stage.isUrgent || hasInternal
    }

    /// Whether anything waits, also in the next segment of the queue, and behind a producer that was stopped.
    var hasWork: Bool { queue.hasReady || hasBesides || canRelease || queue.hasReadyBehindGap }

    /// Whether the journal has made actions durable for which something waits: IOs, effects, readers, barriers.
    var canRelease: Bool {
        guard let journal else { return false }
        return journal.canRelease || hasReachedBarrier || journal.mayReplay
            || journal.openEffects?.canSettle(at: queue.position) == true
    }

    /// After this number of urgent and internal actions in a row, the consumer looks for a message at the head of the
    /// queue.
    @inlinable static var longestRow: UInt64 { 4096 }

    /// Counts an urgent or internal action. Returns true if the consumer must now look for a message.
    @inlinable
    var isTimeForMessages: Bool {
        besides &+= 1
        return besides % Self.longestRow == 0
    }

    /// Notes that no urgent or internal action is left.
    @inlinable @inline(__always)
    func endRow() {
        besides = 0
        hadRow = true
    }

    /// Whether the queues hold much more memory than an idle store needs.
    var isBloated: Bool { queue.isBloated || (hadRow && isBesideBloated()) }

    @inline(never)
    private func isBesideBloated() -> Bool {
        let isBloated = internalQueue?.isBloated == true || urgent.queue?.isBloated == true
        // Only another row makes them grow.
        if !isBloated { hadRow = false }
        return isBloated
    }

    /// Changes whenever one of the queues may hold new memory.
    var position: UInt64 { queue.position &+ (urgent.queue?.position ?? 0) &+ (internalQueue?.pushed ?? 0) }

    /// Whether urgent actions wait that no consumer has seen. For a consumer that gives its role away; see
    /// ``Stage/isUrgent``.
    var mustLookAgain: Bool { stage.isUrgent && !isFinished }

    /// Runs one batch. Returns false if nothing waited, or nothing waits now.
    ///
    /// - Parameter onlyBesides: Whether to leave the shared queue alone.
    @inline(__always)
    func drainOnce(atMost limit: Int = .max, onlyBesides: Bool = false) -> Bool {
        guard borrowedEntry != nil else { return false }
        if isAbandoned {
            dropAll()
            return false
        }
        // Not `if let`, which retains.
        if journal != nil, !handleRecorded() { return false }
        queue.enter()
        let before = queue.passed
        let limit = min(limit, budget.limit)
        isInBatch = true
        let taken: Int
        if onlyBesides {
            taken = borrowedEntry?._withUnsafeGuaranteedRef { $0.drainBeside(limit) } ?? 0
        } else {
            if admission != nil { makeRoom(handling: limit) }
            taken = borrowedEntry?._withUnsafeGuaranteedRef { $0.drain(limit) } ?? 0
        }
        let isFull = endBatch(taken, atMost: limit, since: before, looksBehindGaps: !onlyBesides)
        queue.leave()
        if !barriers.isEmpty { passBarriers() }
        return isFull
    }

    /// Ends a batch of this many actions; after an empty one, handles actions behind a gap. Returns whether it was full.
    @inline(__always)
    private func endBatch(_ taken: Int, atMost limit: Int, since before: UInt64, looksBehindGaps: Bool) -> Bool {
        isInBatch = false
        if late != nil { deliverLate() }
        if journal != nil { endJournaledBatch() }
        let isFull = taken >= limit
        let popped = queue.popped(since: before)
        if taken > 0 || popped > 0 {
            counters.pointee.batches &+= 1
            noteDepth(taken, isFull, shared: popped)
            report()
        } else {
            if looksBehindGaps, queue.isStalled { return drainBehindGap(limit) }
            budget.empty(after: 0)
            if !arrivals.isEmpty { forgetArrivals() }
        }
        return isFull
    }

    /// The oldest slot is claimed and not published: handles actions behind it. Returns whether they fill a batch.
    @inline(never)
    private func drainBehindGap(_ limit: Int) -> Bool {
        // Relaxed: a statistic.
        shared.stalls.add(1, ordering: .relaxed)
        let before = queue.passed
        guard queue.openWindow(min(limit, Self.longestWindow)) else {
            budget.empty(after: 0)
            return false
        }
        isInBatch = true
        let taken = borrowedEntry?._withUnsafeGuaranteedRef { $0.drain(limit) } ?? 0
        queue.closeWindow()
        return endBatch(taken, atMost: limit, since: before, looksBehindGaps: false)
    }

    /// Before each window the consumer makes a system call, and looks at each slot once.
    static var longestWindow: Int { 1024 }

    /// Drops the actions above the capacity, oldest first. Handles up to `limit` of those in between that must not be
    /// dropped.
    @inline(never)
    private func makeRoom(handling limit: Int) {
        guard let admission, admission.overflow == .dropOldest else { return }
        let depth = queue.depthHint
        // Messages occupy no place. Relaxed: a message that is not counted yet counts as an action, see `surplus`.
        let messages = shared.messagesOffered.load(ordering: .relaxed) &- counters.pointee.messages
        let surplus = admission.surplus(of: depth, beside: messages)
        guard surplus > 0, let entry else { return }
        noteHighWater(depth)
        if entry.dropOldest(Int(surplus), limit) > 0 { report() }
    }

    private func noteHighWater(_ depth: UInt64) {
        if depth > counters.pointee.highWater { counters.pointee.highWater = depth }
    }

    /// Updates the high-water mark and the budget. After a full batch, also marks how far the tail has come.
    @inline(__always)
    private func noteDepth(_ taken: Int, _ isFull: Bool, shared: UInt64) {
        if _slowPath(isFull) { return noteFullBatch(taken, shared: shared) }
        arrivals.clear()
        budget.empty(after: taken)
        noteHighWater(shared)
    }

    @inline(never)
    private func noteFullBatch(_ taken: Int, shared: UInt64) {
        guard taken > 1 || budget.limit == 1 else { return noteHighWater(shared) }
        let now = self.now
        // Not after a message, or a single slow action: they need no memory.
        if shared >= Self.busyBatch { busyUntil = now }
        budget.full(at: now)
        // The hint counts from the last report, so it includes the slots of this batch.
        let depth = queue.depthHint
        let consumed = queue.consumed
        arrivals.append(tail: consumed &+ depth, now)
        noteHighWater(depth)
    }

    /// Shows the counters and the progress to other threads.
    @inline(__always)
    func report() {
        // Relaxed: a statistic.
        shared.oldestSince.store(arrivals.isEmpty ? 0 : arrivals.since(queue.position), ordering: .relaxed)
        shared.report(counters)
        guard let admission else { return queue.report() }
        queue.reportFully()
        admission.serveWaiters()
    }

    /// Counts an action whose effect run was revoked. Stored at once, so that readers of the metrics do not take it for
    /// a pending one.
    @usableFromInline
    func noteCancelled() {
        counters.pointee.cancelled &+= 1
        // Releasing: the claim of its slot, so that no reader counts an outcome and not the action.
        shared.cancelled.store(counters.pointee.cancelled, ordering: .releasing)
    }

    /// Counts a waiting action that was dropped. Stored at once, for the same reason.
    @usableFromInline
    func noteDropped() {
        counters.pointee.droppedFromQueue &+= 1
        // Releasing: as above.
        shared.droppedFromQueue.store(counters.pointee.droppedFromQueue, ordering: .releasing)
    }

    /// Notes that the queue was found empty at this time. Actions that wait from now on arrived later.
    func noteEmpty(_ ticks: UInt64) {
        budget.idle(at: ticks)
        arrivals.restart(at: queue.position, ticks)
        shared.oldestSince.store(ticks, ordering: .relaxed)
    }

    /// Notes that the consumer stops reading the queue. Readers of the metrics then find out themselves how long the
    /// next action waits.
    func noteAbsence() {
        shared.oldestSince.store(0, ordering: .relaxed)
    }

    /// The first turn after ``endTurn(_:)``: from here on the time of a batch and the age of an action are measured.
    func beginTurn(_ ticks: UInt64) {
        if arrivals.isEmpty { noteEmpty(ticks) }
    }

    /// A turn has left the queue empty at this time. The time until the next turn belongs to no batch, and to the age of
    /// no action.
    func endTurn(_ ticks: UInt64) {
        budget.idle(at: ticks)
        forgetArrivals()
    }

    /// Nothing waits, so the age of what comes next is unknown.
    private func forgetArrivals() {
        arrivals.clear()
        noteAbsence()
    }

    /// Gives back the memory of a busy time. Returns whether some of it cannot be given back yet.
    func tidy() -> Bool {
        queue.enter()
        queue.trim()
        queue.leave()
        urgent.queue?.trim()
        internalQueue?.trim()
        return entry?.reclaim() ?? false
    }

    /// The slots of a batch after which the queue counts as busy.
    private static var busyBatch: UInt64 { 64 }

    /// Gives the memory of a busy time back. That of the shared queue stays if the queue was busy within 50 ms: then it
    /// needs it again, and fresh memory costs a page fault for each page. For an engine without timers. Out of line, as
    /// it is rare.
    @inline(never)
    func tidyIfQuiet() {
        // Whichever is the earlier one: the counter may have stepped back by hours.
        if StoreTime.nanoseconds(TickClock.between(busyUntil, now), world) > 50_000_000 {
            _ = tidy()
        } else if isBesideBloated() {
            urgent.queue?.trim()
            internalQueue?.trim()
        }
    }

    /// Delivers a message of the pipeline's own for which the queue has no memory. The message is out of order, but
    /// never inside an action, because it may change the middlewares that handle the action.
    func deliverOutOfTurn(_ message: PipelineMessage) {
        guard isInBatch else { return message.deliver() }
        guard let (first, last) = late else { return late = (message, message) }
        last.next = message
        late = (first, message)
    }

    /// Delivers the late messages. Called after a batch.
    @inline(never)
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

    /// Takes a message out of its slot, pops the slot, and delivers the message.
    @usableFromInline
    func takeMessage(_ slot: UnsafeMutablePointer<UInt8>) {
        let message = Slot.takeMessage(UnsafeMutableRawPointer(slot))
        queue.pop()
        counters.pointee.messages &+= 1
        // The thread that waits for the message reads the counters next.
        report()
        message.deliver()
    }
}
