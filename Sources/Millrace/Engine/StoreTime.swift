// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRuntime

/// The unit in which a store measures time: ticks of the processor's counter, or the nanoseconds of its simulated
/// world.
///
/// A world has no ticks: how many of them a nanosecond has is measured anew in each process. A time that was converted
/// to ticks and back would differ by a nanosecond between two processes, and with it the steps of a seed.
enum StoreTime {
    /// Returns a duration in this unit.
    static func count(in duration: Duration, _ world: (any StoreWorld)?) -> UInt64 {
        guard world != nil else { return Ticks.count(in: duration) }
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLate) = whole.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000)
        return isTooLong || isTooLate ? .max : sum
    }

    /// Returns the nanoseconds of a count of this unit.
    static func nanoseconds(_ count: UInt64, _ world: (any StoreWorld)?) -> UInt64 {
        world == nil ? TickClock.nanoseconds(count) : count
    }
}
