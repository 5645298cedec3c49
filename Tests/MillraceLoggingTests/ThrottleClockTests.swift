// SPDX-License-Identifier: Apache-2.0

import MillraceRuntime
import Testing

@testable import MillraceLogging

@Suite("Log throttle, a clock some ticks behind")
struct ThrottleClockTests {
    @Test("begins no new second")
    func firstPerSecond() {
        var throttle = LogThrottle(sampling: .firstPerSecond(1), limit: nil)
        let start: UInt64 = 1_000_000
        #expect(throttle.verdict(at: { Ticks(rawValue: start) }) == .admitted)
        #expect(throttle.verdict(at: { Ticks(rawValue: start - 40) }) == .sampledOut)
    }
}
