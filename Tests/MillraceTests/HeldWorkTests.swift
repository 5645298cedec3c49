// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Millrace

@Suite("Held work")
struct HeldWorkTests {
    private final class Version: Sendable {
        let number: UInt64
        init(_ number: UInt64) { self.number = number }
    }

    @Test("many groups: each body comes once, in order, with the state of its group, while others are added")
    func order() {
        let log = Recorder<UInt64>()
        var held = HeldWork()
        var next: UInt64 = 0
        func add() {
            next += 1
            let number = next
            for half in 0..<2 as Range<UInt64> { held.append({ log.record(2 * number + half) }, of: number) }
            held.endGroup(last: number)
            held.keep(Version(number))
        }
        for _ in 0..<300 { add() }
        for number in 1...1_000 as ClosedRange<UInt64> {
            #expect(held.first == number && held.oldest == number)
            for _ in 0..<2 {
                let (body, state) = held.take()
                body()
                #expect((state as? Version)?.number == number)
            }
            // Fewer and fewer wait, then as many as at first.
            if number % 3 == 0 || number > 400, next < 1_000 { add() }
        }
        #expect(log.all == Array(2...2_001))
        #expect(held.isEmpty && held.first == nil && held.oldest == nil)
    }
}
