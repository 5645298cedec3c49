// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Testing

@Suite("Queue: which slots are measured")
struct SamplingTests {
    private func mode(_ rate: UInt32) -> UInt32 {
        UInt32(MILLRACE_MODE_STAMPING) | rate << UInt32(MILLRACE_MODE_RATE_AT)
    }

    @Test("none without the mode, all at rate 0")
    func extremes() {
        for position in 0..<10_000 as Range<UInt64> {
            #expect(!millrace_mode_measures(UInt32(MILLRACE_MODE_CLOSED), position))
            #expect(millrace_mode_measures(mode(0), position))
        }
    }

    @Test("one in 2^n, evenly: of any arithmetic progression, too", arguments: [1, 4, 6] as [UInt32])
    func even(rate: UInt32) {
        for step in [1, 2, 3, 7, 16, 64, 1000] as [UInt64] {
            for first in [0, 1, 12_345_678_901] as [UInt64] {
                let count = 1 << 16
                let found = (0..<count).filter { millrace_mode_measures(mode(rate), first + UInt64($0) * step) }.count
                let expected = count >> Int(rate)
                #expect(abs(found - expected) <= expected / 20, "every \(step) from \(first): \(found) of \(expected)")
            }
        }
    }
}
