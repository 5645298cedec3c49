// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("The law harness")
struct CounterexampleTests {
    @Test("the generator always gives the same numbers for the same seed")
    func generator() {
        var random = SplitMix64(seed: 1_234_567)
        // From the reference implementation of SplitMix64.
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
        var again = SplitMix64(seed: 1_234_567)
        #expect(again.next() == 6_457_827_717_110_365_317)
    }

    @Test("a law that holds has no counterexample, and is tried as often as asked")
    func holds() {
        var cases = 0
        let counterexample = firstCounterexample(cases: 17, environment: [:]) { _ in
            cases += 1
            return nil
        }
        #expect(counterexample == nil)
        #expect(cases == 17)
    }

    @Test("a failure names its seed, and the seed alone makes it fail again")
    func replay() throws {
        func law(_ random: inout SplitMix64) -> String? {
            let number = random.next() % 10
            return number == 3 ? "got \(number)" : nil
        }
        let found = try #require(firstCounterexample(cases: 500, environment: [:], law))
        #expect(found.description == "got 3. Replay this one case with MILLRACE_SEED=\(found.seed)")
        var cases = 0
        let again = firstCounterexample(environment: ["MILLRACE_SEED": "\(found.seed)"]) { random in
            cases += 1
            return law(&random)
        }
        #expect(again?.seed == found.seed)
        #expect(cases == 1)
    }
}
