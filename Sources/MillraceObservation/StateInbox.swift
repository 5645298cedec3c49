// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace

/// Hands states to the main actor: only the latest counts, and at most one hop is under way.
///
/// Whoever takes takes the latest, so a hop that was overtaken finds nothing: no order of arrivals shows an older state
/// after a newer one.
final class StateInbox<State>: @unchecked Sendable {
    // Unchecked because a state is a value that its publisher gives away; nobody changes it.
    private struct Contents {
        var latest: State?
        var isHopPending = false
    }

    private let contents = Locked(Contents())

    /// Leaves a state, and sees to it that `deliver` is called after it: before this returns on the main queue, else
    /// there, later.
    func put(_ state: State, _ deliver: @escaping @MainActor @Sendable () -> Void) {
        let isOnMain = DispatchQueue.isMainQueue
        let (replaced, needsHop) = contents.withLock { contents in
            let replaced = contents.latest
            contents.latest = state
            let needsHop = !isOnMain && !contents.isHopPending
            if needsHop { contents.isHopPending = true }
            return (replaced, needsHop)
        }
        // Destroyed here, without the lock.
        _ = consume replaced
        if isOnMain {
            // The main actor's executor is the main queue, whichever thread serves that.
            MainActor.assumeIsolated(deliver)
        } else if needsHop {
            DispatchQueue.main.async {
                // Before it is taken: what comes later asks for another hop.
                self.contents.withLock { $0.isHopPending = false }
                MainActor.assumeIsolated(deliver)
            }
        }
    }

    /// The latest state that nobody has taken yet.
    func take() -> State? {
        contents.withLock { contents in
            defer { contents.latest = nil }
            return contents.latest
        }
    }
}
