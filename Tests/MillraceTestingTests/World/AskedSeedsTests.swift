// SPDX-License-Identifier: Apache-2.0

import MillraceTesting
import Testing

@Suite("Seeds that the environment asks for")
struct AskedSeedsTests {
    @Test("one seed, the largest one, too")
    func one() throws {
        #expect(try AskedSeeds(0..<10, asked: "7").seeds == 7...7)
        #expect(try AskedSeeds(0..<10, asked: "18446744073709551615").seeds == UInt64.max ... .max)
        #expect(try AskedSeeds(0..<10, asked: "7").isReplay)
    }

    @Test("without it those of the call, also very many")
    func none() throws {
        #expect(try AskedSeeds(3..<10, asked: nil).seeds == 3...9)
        #expect(try AskedSeeds(3..<10, asked: "").count == 7)
        #expect(try AskedSeeds(0..<(.max), asked: nil).count == .max)
    }

    @Test("what is no seed is an error", arguments: ["abc", "-1", "1 2", "18446744073709551616"])
    func wrong(_ text: String) {
        #expect(throws: AskedSeeds.Problem.self) { try AskedSeeds(0..<10, asked: text) }
    }

    @Test("the command quotes a name with spaces")
    func command() {
        #expect(AskedSeeds.command(3, "race()") == "MILLRACE_SEED=3 swift test --filter race")
        #expect(AskedSeeds.command(3, "two tellers meet()") == "MILLRACE_SEED=3 swift test --filter 'two tellers meet'")
    }
}
