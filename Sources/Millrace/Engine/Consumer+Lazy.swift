// SPDX-License-Identifier: Apache-2.0

import Synchronization

// A lazy store publishes when its state is read: see Consumer.isLazy. Not generic, so that a read looks up no types.
extension Consumer {
    /// The answer to a reader that asks for the newest state.
    enum HerePublication {
        /// The state is published, or the reader takes the one that was published last.
        case done
        /// The same, and something waits for a consumer.
        case more
        /// Another thread is in the pipeline; it publishes by itself from now on. The reader waits once.
        case busy
    }

    /// Publishes the state on this thread if no other thread is in the pipeline: then nothing waits, because a
    /// `.caller` store finishes each action at once. Any thread.
    func publishHere() -> HerePublication {
        // Acquiring: the state of those actions; pairs with PublishedCounters.report(_:). The other one pairs with
        // publishIfDirty().
        let reduced = shared.reduced.load(ordering: .acquiring)
        guard reduced != shared.snapshotVersion.load(ordering: .acquiring), !Frames.isRunning(identity) else {
            return .done
        }
        guard baton.tryTake() else {
            // Relaxed: the pipeline publishes at the end of this turn or of the next one. If somebody needed that
            // before, the turn before has published.
            let before = shared.needsPublication.bitwiseOr(PublishedCounters.readersNeedIt, ordering: .relaxed).oldValue
            return before == 0 ? .busy : .done
        }
        let hasSubscribers = shared.needsPublication.load(ordering: .relaxed) & PublishedCounters.subscribersNeedIt != 0
        asConsumer {
            // Inside a read section no code of the user runs, and no subscriber.
            if !hasSubscribers || !ReadSection.isOngoing { publishIfDirty() }
        }
        // The destructor of an old state may have dispatched: see the rule E13 of docs/invariants.md.
        let isMore = hasInternal
        return CallerEngine.giveBack(self) || isMore ? .more : .done
    }

    /// Whether the pipeline publishes by itself.
    @inline(__always)
    var publishesByItself: Bool {
        if isOnDemand { return false }
        // Relaxed: a reader that sets it and cannot wait does not need this publication.
        return !isLazy || shared.needsPublication.load(ordering: .relaxed) != 0
    }
}
