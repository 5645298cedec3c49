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

/// As after the migration of a virtual machine, or a suspension.
@Suite("Log throttle, a clock that steps by hours")
struct ThrottleLargeStepTests {
    private static let hour = Ticks.count(in: .seconds(3_600))
    private let second = Ticks.count(in: .seconds(1))
    private let start = 100 * hour
    /// An hour back, and a day forward.
    private static let steps: [UInt64] = [0 &- hour, 24 * hour]

    @Test("the first of each second are logged as before", arguments: steps)
    func firstPerSecond(step: UInt64) {
        var throttle = LogThrottle(sampling: .firstPerSecond(1), limit: nil)
        #expect(throttle.verdict(at: { Ticks(rawValue: start) }) == .admitted)
        // The step itself begins a new second, or none.
        _ = throttle.verdict(at: { Ticks(rawValue: start &+ step) })
        #expect(throttle.verdict(at: { Ticks(rawValue: start &+ step &+ 1) }) == .sampledOut)
        for later in 1...3 as ClosedRange<UInt64> {
            let now = Ticks(rawValue: start &+ step &+ later * second)
            #expect(throttle.verdict(at: { now }) == .admitted, "second \(later)")
            #expect(throttle.verdict(at: { now }) == .sampledOut, "second \(later)")
        }
    }

    @Test("the limit admits what it allows, and no more", arguments: steps)
    func limit(step: UInt64) {
        var throttle = LogThrottle(sampling: .all, limit: LogRateLimit(perSecond: 1, burst: 2))
        for expected in [LogThrottle.Verdict.admitted, .admitted, .limited] {
            #expect(throttle.verdict(at: { Ticks(rawValue: start) }) == expected)
        }
        var admitted = 0
        for later in 0...10 as ClosedRange<UInt64> {
            let now = Ticks(rawValue: start &+ step &+ later * second)
            while throttle.verdict(at: { now }) == .admitted { admitted += 1 }
        }
        // One a second, and a burst after a day.
        #expect(admitted == (step == Self.steps[0] ? 10 : 12))
    }

    @Test("time goes on from where it was; what two cores differ by is no step")
    func steady() {
        var ticks = SteadyTicks(tolerance: 100)
        #expect(ticks.time(of: Ticks(rawValue: 1_000)) == 1_000)
        #expect(ticks.time(of: Ticks(rawValue: 900)) == 1_000)
        #expect(ticks.time(of: Ticks(rawValue: 1_001)) == 1_001)
        #expect(ticks.time(of: Ticks(rawValue: 500)) == 1_001)
        #expect(ticks.time(of: Ticks(rawValue: 507)) == 1_008)
        #expect(ticks.time(of: Ticks(rawValue: 3)) == 1_008)
        #expect(ticks.time(of: Ticks(rawValue: 10)) == 1_015)
    }
}
