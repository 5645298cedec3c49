// SPDX-License-Identifier: Apache-2.0

internal import MillraceRuntime

/// Ticks that never go back: for limits that add up time, which would otherwise stay closed until the counter is where it
/// was.
struct SteadyTicks {
    /// The steps back that the cores' counters explain: a microsecond, much more than they differ. A larger one comes from
    /// elsewhere, for example from the migration of a virtual machine, and is added to all later stamps.
    private let tolerance: UInt64
    private var latest: UInt64 = 0
    private var offset: UInt64 = 0

    init(tolerance: UInt64) {
        self.tolerance = tolerance
    }

    /// Returns the time of a stamp.
    mutating func time(of stamp: Ticks) -> UInt64 {
        let now = stamp.rawValue &+ offset
        if now >= latest {
            latest = now
        } else if latest - now > tolerance {
            offset &+= latest - now
        }
        return latest
    }
}
