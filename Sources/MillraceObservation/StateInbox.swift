// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace

/// Hands states to the main actor. Only the latest state is kept, and at most one job is queued on the main queue.
///
/// Each call of `take` returns the latest state, and a job that comes too late finds none. So an older state is never
/// delivered after a newer one.
final class StateInbox<State>: @unchecked Sendable {
    // Unchecked because a state is a value that its publisher gives away, and that no thread changes afterwards.
    private struct Contents {
        var latest: State?
        var isHopPending = false
    }

    private let contents = Locked(Contents())

    /// Stores a state and calls `deliver`: on the main queue before this method returns, on another thread later, in a
    /// job on the main queue.
    func put(_ state: State, _ deliver: @escaping @MainActor @Sendable () -> Void) {
        let isOnMain = DispatchQueue.isMainQueue
        let (replaced, needsHop) = contents.withLock { contents in
            let replaced = contents.latest
            contents.latest = state
            let needsHop = !isOnMain && !contents.isHopPending
            if needsHop { contents.isHopPending = true }
            return (replaced, needsHop)
        }
        // Destroyed here, after the lock was released.
        _ = consume replaced
        if isOnMain {
            // The main actor's executor is the main queue, whichever thread runs it.
            MainActor.assumeIsolated(deliver)
        } else if needsHop {
            DispatchQueue.main.async {
                // Reset before the state is taken, so that a later state queues another job.
                self.contents.withLock { $0.isHopPending = false }
                MainActor.assumeIsolated(deliver)
            }
        }
    }

    /// Removes and returns the latest state, or nil if it was already taken.
    func take() -> State? {
        contents.withLock { contents in
            defer { contents.latest = nil }
            return contents.latest
        }
    }
}
