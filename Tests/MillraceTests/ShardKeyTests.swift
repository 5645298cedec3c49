// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Millrace

@Suite("Shards of keys")
struct ShardKeyTests {
    @Test("small numbers are spread evenly", arguments: [2, 3, 7, 16])
    func spreads(shards: Int) {
        var counts = Array(repeating: 0, count: shards)
        for key in 0..<1_000 { counts[ShardKey.index(of: key, among: shards)] += 1 }
        let part = 1_000 / shards
        #expect(counts.allSatisfy { abs($0 - part) <= part / 4 }, "\(counts)")
    }
}
