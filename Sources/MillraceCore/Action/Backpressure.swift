// SPDX-License-Identifier: Apache-2.0

/// A bounded store, as a task sees it that has an action for it: the task waits for room without blocking a thread.
@usableFromInline
package protocol Backpressure: AnyObject, Sendable {
    /// Suspends until there is room for one action, and reserves it. Any thread.
    func reserveRoom() async -> RoomReservation

    /// Ends a reservation: the action is in the queue, is sent next, or will not be sent. The next waiter is served. To be
    /// called once for each ``RoomReservation/reserved``, or the place is lost. Any thread.
    func endReservation()
}

/// The answer to a task that asked for room.
@usableFromInline
package enum RoomReservation: Sendable {
    /// One place is kept for the action until `endReservation`.
    case reserved
    /// The action needs no place: the store has no bound, or is closed and refuses by itself, or the task runs on the
    /// store's thread.
    case unbounded
    /// The store takes no more actions from outside.
    case closed
    /// The task was cancelled while it waited.
    case cancelled
}
