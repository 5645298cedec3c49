// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceJournal

/// Chooses the shard of each host for one producer, and records which shard knows which text.
///
/// The shard of a host depends on its text only, so all producers choose the same, in every process: the journal of a
/// shard is read again by a later one. The shard is computed once per host.
/// An event then costs one array access, and one more for each of its texts.
struct LineRouter: ~Copyable {
    private let count: Int
    /// The shard of each host, by the number of the host. Index 0 is not used.
    private var shards: ContiguousArray<UInt8> = [0]
    /// The shards that have the definition of a text, as bits, by dimension and number.
    private var known: ContiguousArray<ContiguousArray<UInt64>>

    init(count: Int) {
        self.count = count
        known = ContiguousArray(repeating: [0], count: KeyDimension.allCases.count)
    }

    /// Returns the shard of a host.
    @inline(__always)
    mutating func shard(of host: KeyInterner.Answer, _ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard count > 1 else { return 0 }
        if host.isNew { shards.append(UInt8(truncatingIfNeeded: place(of: text))) }
        return host.number == 0 ? place(of: text) : Int(shards[Int(host.number)])
    }

    /// Returns whether this shard must get the definition of this number first. Called once per event and dimension.
    @inline(__always)
    mutating func mustDefine(_ key: KeyInterner.Answer, _ dimension: KeyDimension, for shard: Int) -> Bool {
        guard count > 1 else { return key.isNew }
        guard key.number != 0 else { return false }
        let dimension = Int(dimension.rawValue)
        if key.isNew { known[dimension].append(0) }
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: shard)
        let before = known[dimension][Int(key.number)]
        guard before & bit == 0 else { return false }
        known[dimension][Int(key.number)] = before | bit
        return true
    }

    private func place(of text: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = StableHasher()
        hasher.combine(bytes: text)
        return ShardKey.scale(hasher.finish(), to: count)
    }
}
