// SPDX-License-Identifier: Apache-2.0

#if MILLRACE_PLANTED
    /// Defects in the order of steps, planted to see that the simulation finds them. Only a build for simulation has
    /// them, and there one at most is switched on.
    @usableFromInline
    package enum Planted: String, CaseIterable, Sendable {
        /// A producer wakes no consumer if another action waits.
        case lostWakeUp
        /// The waiting actions of a cancelled effect are handled.
        case cancelMissesWaiting
        /// A drain does not wait if one action at most waits.
        case drainTooEarly
        /// The first of several threads that wait for room is forgotten.
        case waiterPassedOver
        /// An effect that starts while its gate closes goes on.
        case gateHalfOpen
        /// An urgent action is announced before it is in its queue.
        case urgentTooEarly
        /// Subscribers are not told the states of a closed store.
        case lastStateUntold
        /// What a removed plugin has dispatched is handled.
        case pluginLeftovers
        /// A closed store does not wait for producers that are in the middle of a push.
        case noGracePeriod
        /// The place of an effect that is cancelled while it waits for room stays reserved.
        case roomKept
        /// A turn begins with an action from outside although the turn before has left internal actions.
        case internalOvertaken
        /// When an effect completes and none waits, the other effects of its token are forgotten.
        case tokenForgotten
        /// The callback of a promise does not count its calls: it only looks whether the effect has ended.
        case promiseKeptTwice
        /// A publication decides whom to tell before it tells the first subscriber, and not again before each of them.
        case cancelledStillTold
        /// A gated middleware looks at its gate once more after the reducers.
        case gateAskedTwice
        /// A sharded store that shuts down drains its shards once, although they may have dispatched to each other
        /// since.
        case shardsSettledOnce
        /// A read of a store that publishes on demand does not wait for urgent actions.
        case urgentUnread
        /// A plugin is replaced in three steps: it is disabled, then replaced, then enabled again.
        case replacementGap
        /// A supervising middleware takes an interruption that comes during an action for one that it has seen before.
        case interruptionOverlooked
        /// A cancel handler that is added after the cancel is not called.
        case handlerTooLate

        /// A read on demand and a drain do not wait for an urgent action that is behind an unpublished one.
        case barrierTooEarly

        // In stores with a journal.
        /// The store is told that a group is durable before the sync.
        case durableTooEarly
        /// A cancel by token passes over effects that the journal holds.
        case cancelMissesHeld
        /// A snapshot does not have the mark of the producer that came last.
        case markNotInSnapshot
        /// A drain does not wait for held work.
        case drainIgnoresHeld
        /// A repeated commit is answered before the first one is durable.
        case duplicateTooEarly
        /// Held work runs when the action before its own is durable.
        case heldOneEarly
        /// A snapshot gets its name before it is synced.
        case renameBeforeSync
        /// A journal that fails does not close its store.
        case intakeStaysOpen
        /// A writer does not look whether another one has taken over.
        case epochNotChecked
        /// The last entry of a group is not written.
        case lastOfGroupLost
        /// A held IO of a removed plugin runs.
        case pluginOutlived
        /// The watermark of ended effects covers one action too many.
        case watermarkTooHigh
        /// The store is not woken when held work has become durable.
        case wakeForgotten
        /// The end of an effect counts before its answers are reduced.
        case settledTooEarly
        /// A snapshot is written before its actions are synced.
        case snapshotAhead
        /// A recovery does not sync the end of the journal that it has read.
        case tailNotKept
        /// Between two syncs commits return when their actions are written.
        case receiptBeforeSync
        /// Tasks that wait for a journal that fails are not resumed.
        case waitersForgotten
        /// A held IO reads the live state.
        case heldStateLive
        /// A snapshot has the mark of the action after it.
        case markTooSoon
        /// The change to a new segment does not sync the old one.
        case oldSegmentNotSynced
        /// A sync that has failed is tried once more.
        case failedSyncRetried
        /// A frame says that what was written before it is synced.
        case frameClaimsWritten
        /// A recovery links the new segment to the empty one that it removes.
        case emptySegmentLinked
        /// A frame has the mark of the last one of its producers only.
        case marksOverwritten
        /// A recovery does not read the watermark of ended effects in the snapshot.
        case snapshotWatermarkUnread
        /// A failure of the journal ends the waits by saying that everything is durable.
        case failureReleases
        /// A held effect that waits for others of its token begins when its turn comes.
        case turnBeforeDurable
        /// A second state leaves out the action at which it has stopped before.
        case shadowForgetsNext

        /// Whether it shows itself in a store with a journal only.
        package var isOfJournal: Bool {
            switch self {
            case .durableTooEarly, .cancelMissesHeld, .markNotInSnapshot, .drainIgnoresHeld, .duplicateTooEarly,
                .heldOneEarly, .renameBeforeSync, .intakeStaysOpen, .epochNotChecked, .lastOfGroupLost,
                .pluginOutlived, .watermarkTooHigh, .wakeForgotten, .settledTooEarly, .snapshotAhead, .tailNotKept,
                .receiptBeforeSync, .waitersForgotten, .heldStateLive, .markTooSoon,
                .oldSegmentNotSynced, .failedSyncRetried, .frameClaimsWritten, .emptySegmentLinked, .marksOverwritten,
                .snapshotWatermarkUnread, .failureReleases, .turnBeforeDurable, .shadowForgetsNext:
                true
            default: false
            }
        }

        nonisolated(unsafe) package static var current: Planted?

        @usableFromInline
        package static func has(_ defect: Planted) -> Bool { current == defect }
    }
#endif
