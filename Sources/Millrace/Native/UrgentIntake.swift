// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Holds the queue of a store's urgent actions. The first urgent action makes the queue.
///
/// A producer publishes its action in this queue, then sets a bit of the word that the consumer reads after each
/// action. The consumer clears the bit, then handles all actions that it finds. So it finds each action at once, or it
/// finds the bit set again later. If it stops before it has handled all, it sets the bit itself.
@usableFromInline
final class UrgentIntake: Sendable {
    private let made = Atomic<UInt>(0)

    /// The queue; nil before the first urgent action. Any thread.
    @usableFromInline
    var queue: QueueHandle? {
        // Acquiring: the queue's fields; pairs with adopt().
        QueueHandle(bitPattern: made.load(ordering: .acquiring))
    }

    /// Installs a new queue, unless there is one already. Returns the queue that is in use now. Any thread.
    func adopt(_ fresh: QueueHandle) -> QueueHandle {
        // Releasing: the fields of this queue; pairs with `queue`. Acquiring: the fields of a queue that another thread
        // has installed.
        let (isFirst, old) = made.compareExchange(
            expected: 0,
            desired: fresh.bitPattern,
            ordering: .acquiringAndReleasing
        )
        return isFirst ? fresh : QueueHandle(bitPattern: old)!
    }
}
