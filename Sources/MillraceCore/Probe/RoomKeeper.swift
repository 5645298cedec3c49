// SPDX-License-Identifier: Apache-2.0

/// A bounded store, for the effects of its middlewares: their tasks can wait for room without blocking a thread.
@usableFromInline
package protocol RoomKeeper: AnyObject, Sendable {
    /// Suspends until there is room for another action, which must then go in, marked as exempt. False when the task is
    /// cancelled; true when the store is closed, too: it refuses by itself.
    func hasRoom() async -> Bool
}
