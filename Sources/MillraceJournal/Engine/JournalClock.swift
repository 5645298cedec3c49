// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore

/// The time of a journal: that of its world, or of the system.
struct JournalClock: Sendable {
    private let world: (any StoreWorld)?
    /// The beginning of the world, on a clock that does not move there.
    private let beginning = ContinuousClock.now

    /// - Parameter world: The world of the journal; nil: the system.
    init(_ world: (any StoreWorld)?) {
        self.world = world
    }

    var now: ContinuousClock.Instant {
        guard let world else { return .now }
        return beginning + .nanoseconds(world.actionTime.nanosecondsSince1970)
    }
}
