// SPDX-License-Identifier: Apache-2.0

import Histogram
import TestSupport
import Testing

@testable import MillraceInstrumentation

@Suite("Tallies")
struct TallyTests {
    private let longest = LatencyDistribution.longest

    private func value(_ random: inout SplitMix64) -> UInt64 {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: 0
        case 1: longest
        case 2: longest + 1
        case 3: .random(in: 0 ... .max / 1000, using: &random)
        default: .random(in: 0..<(1 << UInt64.random(in: 0..<42, using: &random)), using: &random)
        }
    }

    @Test("a tally says what an HDR histogram would have said: every count, the least and the most, outliers, the sum")
    func equalsHistogram() {
        let counterexample = firstCounterexample(cases: 40) { random in
            let count = Int.random(in: 0..<200, using: &random)
            for (digits, hdr) in [(HistogramWriter.Digits.two, SignificantDigits.two), (.three, .three)] {
                var (first, second, expected) = (HistogramWriter(), HistogramWriter(), LatencyDistribution(digits: hdr))
                defer {
                    first.deallocate()
                    second.deallocate()
                }
                for _ in 0..<count {
                    let value = value(&random)
                    if Bool.random(using: &random) { first.record(value, digits) } else { second.record(value, digits) }
                    expected.record(value)
                }
                first.add(second, digits)
                let found = first.distribution(digits)
                guard found.histogram == expected.histogram, found.nanoseconds == expected.nanoseconds,
                    found.outliers == expected.outliers, found.maximum == expected.maximum,
                    found.histogram.min == expected.histogram.min, found.count == expected.count
                else { return "\(count) values in \(digits) digits differ" }
            }
            return nil
        }
        #expect(counterexample == nil)
    }

    @Test("every place up to an hour is in its memory")
    func room() {
        for digits in [HistogramWriter.Digits.two, .three] {
            var tally = HistogramWriter()
            defer { tally.deallocate() }
            tally.record(longest, digits)
            tally.record(0, digits)
            #expect(tally.distribution(digits).histogram.totalCount == 2)
            let hdr = LatencyDistribution(digits: digits == .two ? .two : .three).histogram
            // An array takes a little more than its elements.
            #expect((0...64).contains(hdr.estimatedFootprintInBytes - 512 - digits.bytes))
        }
    }
}
