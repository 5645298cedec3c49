// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

@Suite struct LineRouterTests {
    private func withText<Result>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: ByteSearch.padding)
        return bytes.withUnsafeBufferPointer { body(.init(rebasing: $0[..<text.utf8.count])) }
    }

    /// Whatever number a producer gives a host, and whether it still has a number for it.
    @Test(arguments: [1, 2, 3, 64])
    func producersAgreeOnTheShardOfAHost(_ count: Int) {
        var first = LineRouter(count: count)
        var second = LineRouter(count: count)
        let hosts = (0..<1000).map { "192.0.2.\($0)" }
        var used: Set<Int> = []
        var disagreements: [String] = []
        for (place, host) in hosts.enumerated() {
            let asked: [(UInt32, Bool)] = [(UInt32(place + 1), true), (UInt32(place + 1), false), (0, false)]
            let shards = Set(asked.map { answer in withText(host) { first.shard(of: answer, $0) } })
            used.formUnion(shards)
            if shards.count != 1 { disagreements.append(host) }
        }
        for (place, host) in hosts.reversed().enumerated() {
            let shard = withText(host) { second.shard(of: (UInt32(place + 1), true), $0) }
            if withText(host, { first.shard(of: (0, false), $0) }) != shard { disagreements.append(host) }
        }
        #expect(disagreements.prefix(5) == [])
        #expect(used.isSubset(of: 0..<count))
        #expect(used.count == count, "each shard gets some of a thousand hosts")
    }

    @Test(arguments: [2, 64])
    func eachShardIsToldATextOnce(_ count: Int) {
        var router = LineRouter(count: count)
        let last = count - 1
        let answers = [
            router.mustDefine((1, true), .path, for: 0), router.mustDefine((1, false), .path, for: 0),
            router.mustDefine((1, false), .path, for: last), router.mustDefine((1, false), .path, for: last),
            router.mustDefine((1, true), .method, for: last), router.mustDefine((0, false), .method, for: 0),
            router.mustDefine((2, true), .path, for: last), router.mustDefine((2, false), .path, for: 0),
        ]
        #expect(answers == [true, false, true, false, true, false, true, true])
    }
}
