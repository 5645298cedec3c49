// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The beginning of an effect that waits for two things: its place among the effects of its token, and the journal. If
/// the journal drops it, the effect gives its place back when it ends, as if its body had returned.
final class HeldStart: Sendable {
    private let body: @Sendable () -> Void
    private let returned: @Sendable () -> Void
    private let missing = Atomic<Int>(2)
    // Relaxed: one thread begins, and the release of the last reference comes after that.
    private let hasBegun = Atomic<Bool>(false)

    /// - Parameters:
    ///   - body: Begins the effect, unless it has ended.
    ///   - returned: Called once: when `body` has returned, or will not be called.
    init(_ body: @escaping @Sendable () -> Void, returned: @escaping @Sendable () -> Void) {
        self.body = body
        self.returned = returned
    }

    deinit {
        if !hasBegun.load(ordering: .relaxed) { returned() }
    }

    /// One of the two is there; the last one begins the effect. Any thread.
    @Sendable
    func arrive() {
        // Acquiring and releasing: the beginning comes after both arrivals.
        if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { begin() }
    }

    /// Begins an effect that waits for the journal only.
    @Sendable
    func begin() {
        hasBegun.store(true, ordering: .relaxed)
        body()
        returned()
    }
}
