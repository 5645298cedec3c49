// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

@Suite struct VisitorsTests {
    @Test func aVisitorIsOneClientOnOneDay() {
        var visitors = Visitors(maximum: 100)
        for (host, agent, minute) in [
            (1, 1, 0), (1, 1, 59), (1, 1, 60), (1, 1, 0), (1, 2, 0), (2, 1, 0), (1, 1, 1440), (1, 1, -1),
        ] as [(UInt32, UInt32, Int64)] {
            visitors.count(host: host, agent: agent, minute: minute)
        }
        #expect(visitors.total == 5)
        #expect(visitors.byDay == [0: 3, 1: 1, -1: 1])
        #expect(visitors.byHour == [0: 3, 1: 1, 24: 1, -1: 1])
        #expect(visitors.uncounted == 0)
    }

    /// A damaged snapshot may have any minute.
    @Test func theFirstAndTheLastMinuteHaveTheirHours() {
        var visitors = Visitors(maximum: 100)
        for minute in [Int64.min, -60, -61, .max] { visitors.count(host: 1, agent: 1, minute: minute) }
        #expect(Set(visitors.byHour.keys) == [Int64.min / 60 - 1, -1, -2, Int64.max / 60])
        #expect(visitors.total == 3)
    }

    @Test func theOrderDoesNotMatter() {
        var random = SplitMix64(seed: 3)
        let events = (0..<5000).map { _ in
            (UInt32(random.below(20) + 1), UInt32(random.below(3) + 1), Int64(random.below(5000)))
        }
        var (some, others) = (Visitors(maximum: 100_000), Visitors(maximum: 100_000))
        for event in events { some.count(host: event.0, agent: event.1, minute: event.2) }
        for event in events.shuffled(using: &random) { others.count(host: event.0, agent: event.1, minute: event.2) }
        #expect(some.byDay == others.byDay && some.byHour == others.byHour)
        let expected = Set(events.map { [Int64($0.0), Int64($0.1), $0.2 / 1440] }).count
        #expect(some.total == UInt64(expected))
    }

    @Test func theMemoryIsBounded() {
        var visitors = Visitors(maximum: 10)
        for host in 1...100 { visitors.count(host: UInt32(host), agent: 1, minute: 0) }
        #expect(visitors.total == 10 && visitors.uncounted == 90)
        visitors.count(host: 1, agent: 1, minute: 30)
        #expect(visitors.uncounted == 90, "a known visitor in a known hour")
        visitors.count(host: 1, agent: 1, minute: 90)
        #expect(visitors.uncounted == 91)
        visitors.count(host: 0, agent: 1, minute: 0)
        visitors.count(host: 1, agent: 1, minute: nil)
        #expect(visitors.uncounted == 93)
    }
}
