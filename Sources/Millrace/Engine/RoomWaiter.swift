// SPDX-License-Identifier: Apache-2.0

/// One thread or task that waits for room in a bounded queue: an element of the line of ``RoomWaiters``.
///
/// Made before it waits, so that a task can be cancelled at any time.
final class RoomWaiter: @unchecked Sendable {
    // Unchecked because all variables belong to the line, and are touched only while its lock is held.

    enum Outcome: Sendable {
        /// One place is reserved for whoever is told so.
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
    /// Told the outcome, once, without the lock.
    var resume: (@Sendable (Outcome) -> Void)?
    /// The one behind it in the line.
    var next: RoomWaiter?
    /// The one before it. Not counted: the line holds both.
    unowned(unsafe) var previous: RoomWaiter?
}
