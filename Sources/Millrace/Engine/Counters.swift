// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

/// The counters that the pipeline keeps in plain memory. Only the consumer touches them.
@usableFromInline
struct Counters {
    @usableFromInline var reduced: UInt64 = 0
    @usableFromInline var cancelled: UInt64 = 0
    /// The number of actions that were dropped after they had been accepted.
    @usableFromInline var droppedFromQueue: UInt64 = 0
    @usableFromInline var messages: UInt64 = 0
    /// The number of actions whose reducer removed the element, so that the element's middleware was not called.
    var vanished: UInt64 = 0
    /// The number of the last such action.
    private var lastVanished: UInt64 = 0
    /// Whether `vanished` or `unmatched` has ever grown.
    var hasMisses = false
    /// For how many actions a lifted reducer did not find the element.
    var unmatched: UInt64 = 0
    /// The number of the last such action.
    private var lastUnmatched: UInt64 = 0
    /// The handler of `ReduxStoreBase.onUnmatched`, which the consumer keeps. Not a reference, so that this structure
    /// is plain memory.
    var onUnmatched: Unmanaged<UnmatchedHandler>?
    @usableFromInline var batches: UInt64 = 0
    /// The largest number of waiting slots so far.
    @usableFromInline var highWater: UInt64 = 0
    /// Whether the state may differ from the latest snapshot.
    @usableFromInline var isDirty = false
    /// Ticks of the last publication.
    @usableFromInline var published: UInt64 = 0

    /// The number of the action that has `time`; 0: no action yet.
    var timedAction: UInt64 = 0
    /// The time of that action.
    var time = ActionTime(nanosecondsSince1970: 0)

    /// What the pipeline with these counters does now.
    private let stage: Stage

    init(stage: Stage) {
        self.stage = stage
    }

    /// Whether the pipeline's own reducers run. A middleware may run reducers, too, with a copy of the state.
    var isReducing: Bool { stage.isIn(Stage.reducing) }

    /// The number of the action that is being handled; nil between two actions.
    var currentAction: UInt64? {
        // `reduced` counts an action once its reducers have run.
        if stage.isIn(Stage.effects) { return reduced }
        return stage.slot == nil ? nil : reduced &+ 1
    }

    /// Counts the action that is being reduced, once.
    mutating func noteUnmatched() {
        // While an action is being reduced, `reduced` counts the actions before it.
        guard lastUnmatched != reduced &+ 1 else { return }
        lastUnmatched = reduced &+ 1
        hasMisses = true
        unmatched &+= 1
    }

    /// Counts the action that was reduced last, once. After its reducers.
    mutating func noteVanished() {
        guard lastVanished != reduced else { return }
        lastVanished = reduced
        hasMisses = true
        vanished &+= 1
    }
}

extension Counters {
    /// Lets lifted reducers tell of actions whose element they did not find. Any thread, any number of times.
    static func registerUnmatchedActions() {
        UnmatchedActions.register { report in
            guard let counters = Frames.counters, counters.pointee.isReducing else { return false }
            if let report {
                counters.pointee.onUnmatched?.takeUnretainedValue().handler(report)
            } else {
                counters.pointee.noteUnmatched()
            }
            return counters.pointee.onUnmatched != nil
        }
    }

    /// Lets reducers find the time of the action that is being handled. Any thread, any number of times.
    static func registerTakeUpTime() {
        TakeUpTime.register {
            guard let counters = Frames.counters, let action = counters.pointee.currentAction else { return nil }
            if counters.pointee.timedAction != action {
                counters.pointee.time = .now
                counters.pointee.timedAction = action
            }
            return counters.pointee.time
        }
    }
}

/// The counters that any thread may read. The consumer stores its counts once a batch. Producers add their own counts:
/// rejected actions and messages.
///
/// The counts are relaxed: they are statistics, which order nothing. The exceptions are the outcomes of accepted
/// actions: `reduced`, `cancelled` and `droppedFromQueue` are stored by a release and loaded by an acquire, so a reader
/// that counts an outcome also counts its action. `reduced` is stored last and loaded first, so the other counts are at
/// least as new. The order of `snapshotPosition` and of the flags is given where they are used.
@usableFromInline
final class PublishedCounters: Sendable {
    let reduced = Atomic<UInt64>(0)
    /// The last action of the journal that the store was recovered from. Set before the store is shared.
    @exclusivity(unchecked) nonisolated(unsafe) var base: UInt64 = 0
    let cancelled = Atomic<UInt64>(0)
    let droppedFromQueue = Atomic<UInt64>(0)
    let vanished = Atomic<UInt64>(0)
    let unmatched = Atomic<UInt64>(0)
    let batches = Atomic<UInt64>(0)
    let stalls = Atomic<UInt64>(0)
    let highWater = Atomic<UInt64>(0)
    /// The largest depth that a reader of the metrics found.
    let seenDepth = Atomic<UInt64>(0)
    /// Ticks since which the oldest action waits, as far as is known; 0: unknown.
    let oldestSince = Atomic<UInt64>(0)
    /// The position in the queue up to which the latest snapshot includes all actions.
    let snapshotPosition = Atomic<UInt64>(0)
    /// The number of the last action that the latest snapshot includes.
    let snapshotVersion = Atomic<UInt64>(0)
    /// Who needs a lazy store to publish by itself: ``subscribersNeedIt``, ``readersNeedIt``. The latter
    /// is never cleared.
    let needsPublication = Atomic<UInt8>(0)
    static var subscribersNeedIt: UInt8 { 1 }
    /// A read found the pipeline busy. From now on such a read gets the state that was published last, and does not
    /// wait.
    static var readersNeedIt: UInt8 { 2 }
    /// The position in the urgent queue, and the number of internal actions, up to which the latest snapshot includes all.
    let snapshotUrgent = Atomic<UInt64>(0)
    let snapshotInternal = Atomic<UInt64>(0)
    let rejected = Atomic<UInt64>(0)
    /// The number of actions that the overflow policy dropped before they were queued.
    let dropped = Atomic<UInt64>(0)
    /// The part of `droppedFromQueue` that was dropped because the store was abandoned.
    let abandoned = Atomic<UInt64>(0)
    /// The number of internal actions that were dispatched. Stored for each one, so that `offered` is exact at any
    /// time.
    let internalOffered = Atomic<UInt64>(0)
    let messagesTaken = Atomic<UInt64>(0)
    /// Written while the lock of `messageIntake` is held.
    let messagesOffered = Atomic<UInt64>(0)
    /// Held while a message is put into the queue and counted. So a thread that holds the lock reads counts of messages
    /// and positions that match.
    let messageIntake = Locked(MessageIntake())
    /// Turns submitted to the dispatch queue.
    let submissions = Atomic<UInt64>(0)

    @usableFromInline init() {}

    /// Stores the number of internal actions.
    @usableFromInline
    func noteInternal(_ count: UInt64) {
        // Releasing: a thread that sees a later count of outcomes sees this one.
        internalOffered.store(count, ordering: .releasing)
    }

    /// Stores the counts. By address: a structure behind a pointer would be copied for the call.
    @inline(__always)
    func report(_ counters: UnsafePointer<Counters>) {
        // Releasing: see Consumer.noteCancelled.
        cancelled.store(counters.pointee.cancelled, ordering: .releasing)
        droppedFromQueue.store(counters.pointee.droppedFromQueue, ordering: .releasing)
        if counters.pointee.hasMisses {
            vanished.store(counters.pointee.vanished, ordering: .relaxed)
            unmatched.store(counters.pointee.unmatched, ordering: .relaxed)
        }
        messagesTaken.store(counters.pointee.messages, ordering: .relaxed)
        batches.store(counters.pointee.batches, ordering: .relaxed)
        highWater.store(counters.pointee.highWater, ordering: .relaxed)
        reduced.store(counters.pointee.reduced, ordering: .releasing)
    }
}
