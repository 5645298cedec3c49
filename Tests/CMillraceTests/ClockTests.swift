// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Testing

@Suite("Clock")
struct ClockTests {
    /// scripts/jumps.sh runs it with a counter that steps during the calibration.
    @Test("the rate of the counter is one that a processor can have, and conversions there and back agree")
    func rate() {
        let second: UInt64 = 1_000_000_000
        let ticks = millrace_clock_from_nanoseconds(second)
        #expect((100_000...32 * second).contains(ticks))
        let back = millrace_clock_nanoseconds(ticks)
        #expect((second - 1_000...second + 1_000).contains(back))
    }
}
