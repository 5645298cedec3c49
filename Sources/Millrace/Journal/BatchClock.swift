// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The time of actions. It reads the system's clock once for each batch. Between two reads it counts the processor's
/// ticks, which costs half as much.
struct BatchClock {
    private var base = ActionTime(nanosecondsSince1970: 0)
    private var ticks: UInt64 = 0
    private var isSet = false
    /// The world that has the time; nil: the system.
    private let world: (any StoreWorld)?

    init(_ world: (any StoreWorld)? = nil) {
        self.world = world
    }

    /// The time now.
    var now: ActionTime {
        mutating get {
            let ticks = TickClock.now
            if !isSet {
                if let world { return world.actionTime }
                (base, self.ticks, isSet) = (.now, ticks, true)
                return base
            }
            let passed = TickClock.nanoseconds(TickClock.passed(self.ticks, ticks))
            return ActionTime(nanosecondsSince1970: base.nanosecondsSince1970 &+ Int64(clamping: passed))
        }
    }

    /// The next time is that of the system's clock.
    mutating func endBatch() { isSet = false }
}
