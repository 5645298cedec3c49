// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The beginning of an effect that waits for two things: its place among the effects of its token, and the journal.
final class HeldStart: Sendable {
    let begin: @Sendable () -> Void
    private let missing = Atomic<Int>(2)

    init(_ begin: @escaping @Sendable () -> Void) {
        self.begin = begin
    }

    /// One of the two is there; the last one begins the effect. Any thread.
    @Sendable
    func arrive() {
        // Acquiring and releasing: the beginning comes after both arrivals.
        if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { begin() }
    }
}
