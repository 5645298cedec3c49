// SPDX-License-Identifier: Apache-2.0

import CMillrace
import MillraceCore
import Synchronization

/// Counts that the pipeline keeps for itself, in plain memory.
@usableFromInline
struct Counters {
    @usableFromInline var reduced: UInt64 = 0
    @usableFromInline var cancelled: UInt64 = 0
    /// Thrown away after they were in the queue.
    @usableFromInline var discarded: UInt64 = 0
    @usableFromInline var messages: UInt64 = 0
    @usableFromInline var batches: UInt64 = 0
    @usableFromInline var stalls: UInt64 = 0
    /// Most slots that were ever seen waiting.
    @usableFromInline var highWater: UInt64 = 0
    /// The state may differ from the latest snapshot.
    @usableFromInline var isDirty = false
    /// Ticks of the last publication.
    @usableFromInline var published: UInt64 = 0

    /// The action for which `time` was taken, by its sequence, counted from 1; 0: none yet.
    var timedAction: UInt64 = 0
    /// When the consumer took up that action.
    var time = ActionTime(nanosecondsSince1970: 0)

    @usableFromInline init() {}
}

extension Counters {
    /// Lets reducers find the time of the action that is being handled. Any thread, any number of times.
    static func registerTakeUpTime() {
        TakeUpTime.register {
            guard let place = millrace_frame_counters() else { return nil }
            let counters = place.assumingMemoryBound(to: Counters.self)
            // While an action is being reduced, `reduced` counts the actions before it.
            let action = counters.pointee.reduced &+ 1
            if counters.pointee.timedAction != action {
                counters.pointee.time = .now
                counters.pointee.timedAction = action
            }
            return counters.pointee.time
        }
    }
}

/// The same counts as others may see them: stored once a batch. And what producers count: refusals, messages.
///
/// All relaxed but `reduced`: statistics, which order nothing. `reduced` is released last and acquired first, so that
/// the others are at least as new.
@usableFromInline
final class PublishedCounters: Sendable {
    let reduced = Atomic<UInt64>(0)
    let cancelled = Atomic<UInt64>(0)
    let discarded = Atomic<UInt64>(0)
    let batches = Atomic<UInt64>(0)
    let stalls = Atomic<UInt64>(0)
    let highWater = Atomic<UInt64>(0)
    /// Ticks since which the oldest action waits, as far as is known; 0: not known.
    let oldestSince = Atomic<UInt64>(0)
    /// The position up to which the latest snapshot tells everything.
    let snapshotPosition = Atomic<UInt64>(0)
    let rejected = Atomic<UInt64>(0)
    /// Thrown away instead of being queued.
    let dropped = Atomic<UInt64>(0)
    /// Those of `discarded` that were thrown away because the store was abandoned.
    let abandoned = Atomic<UInt64>(0)
    let messagesTaken = Atomic<UInt64>(0)
    /// Written while the lock of `messageIntake` is held.
    let messagesOffered = Atomic<UInt64>(0)
    /// Held while a message is put into the queue and counted: so whoever holds it finds the messages and the positions
    /// in step.
    let messageIntake = Locked(MessageIntake())
    /// Times somebody had a queue run the pipeline.
    let submissions = Atomic<UInt64>(0)

    @usableFromInline init() {}

    func report(_ counters: borrowing Counters) {
        cancelled.store(counters.cancelled, ordering: .relaxed)
        discarded.store(counters.discarded, ordering: .relaxed)
        messagesTaken.store(counters.messages, ordering: .relaxed)
        batches.store(counters.batches, ordering: .relaxed)
        stalls.store(counters.stalls, ordering: .relaxed)
        highWater.store(counters.highWater, ordering: .relaxed)
        reduced.store(counters.reduced, ordering: .releasing)
    }
}
