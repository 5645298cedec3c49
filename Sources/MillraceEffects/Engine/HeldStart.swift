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
    ///   - returned: Called when `body` has returned, or will not be called; not if ``takePlace()`` has called the body.
    init(_ body: @escaping @Sendable () -> Void, returned: @escaping @Sendable () -> Void) {
        self.body = body
        self.returned = returned
    }

    deinit {
        if !hasBegun.load(ordering: .relaxed) { returned() }
    }

    /// The effect has its place. Returns whether this call has run the body: then the caller notes that it has
    /// returned. In a row of effects that end at once, a call of `returned` here would begin the next effect inside of
    /// this one, and so on, until the stack is full. Any thread.
    func takePlace() -> Bool {
        guard isLast() else { return false }
        hasBegun.store(true, ordering: .relaxed)
        body()
        return true
    }

    /// The action of the effect is durable. Any thread.
    @Sendable
    func becomeDurable() {
        if isLast() { begin() }
    }

    /// Begins an effect that waits for the journal only.
    @Sendable
    func begin() {
        hasBegun.store(true, ordering: .relaxed)
        body()
        returned()
    }

    private func isLast() -> Bool {
        // Acquiring and releasing: the beginning comes after both arrivals.
        missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }
}
