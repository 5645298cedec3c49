// SPDX-License-Identifier: Apache-2.0

/// A thread or task that waits for room in a bounded queue: an element of the line of ``RoomWaiters``.
///
/// It is made before the wait begins, so that the task can be cancelled at any time.
final class RoomWaiter: @unchecked Sendable {
    // Unchecked because all variables belong to the line, and are touched only while its lock is held.

    enum Outcome: Sendable {
        /// One place is reserved for this waiter.
        case reserved
        case closed
        case cancelled
    }

    enum Phase {
        case new
        case waiting
        case ended
    }

    var phase = Phase.new
    /// Called once with the outcome, after the lock is released.
    var resume: (@Sendable (Outcome) -> Void)?
    /// The next waiter in the line.
    var next: RoomWaiter?
    /// The previous waiter in the line. Not retained: the line holds both.
    unowned(unsafe) var previous: RoomWaiter?
}
