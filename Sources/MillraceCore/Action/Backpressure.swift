// SPDX-License-Identifier: Apache-2.0

/// A bounded store in which a task can wait for room for an action, without blocking a thread.
@usableFromInline
package protocol Backpressure: AnyObject, Sendable {
    /// Suspends until there is room for one action, and reserves it. Any thread.
    func reserveRoom() async -> RoomReservation

    /// Ends a reservation and serves the next waiter. Any thread.
    ///
    /// Call it once for each ``RoomReservation/reserved``, or the place is lost. Call it when the action is in the
    /// queue, is pushed next, or will not be sent.
    func endReservation()
}

/// The answer to a task that asked for room.
@usableFromInline
package enum RoomReservation: Sendable {
    /// One place is reserved for the action until `endReservation`.
    case reserved
    /// The action needs no place: the store has no capacity, the store is closed and rejects the action itself, or the
    /// task runs on the pipeline's thread.
    case unbounded
    /// The store accepts no more actions from outside.
    case closed
    /// The task was cancelled while it waited.
    case cancelled
}
