// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceJournal

/// Chooses the shard of each host for one producer, and notes which shards have the definition of which text.
///
/// The shard of a host depends only on the host's text and the number of shards. So all producers choose the same
/// shard, also in a later process that reads the journal of the shard again. The router computes the shard of a host
/// once: an event then costs one array access, and one more for each of its texts. For a host without a number it
/// computes the shard at each event. With one shard it computes nothing.
struct LineRouter: ~Copyable {
    private let count: Int
    /// The shard of each host, by the number of the host. Number 0 means that the host has none: see ``KeyInterner``.
    private var shards: ContiguousArray<UInt8> = [0]
    /// For each dimension and number: the shards that have the definition of this text, one bit for each shard.
    private var known: ContiguousArray<ContiguousArray<UInt64>>

    init(count: Int) {
        self.count = count
        known = ContiguousArray(repeating: [0], count: KeyDimension.allCases.count)
    }

    /// Returns the shard of a host. The encoder calls it once for each event, in the order in which the hosts got their
    /// numbers.
    @inline(__always)
    mutating func shard(of host: KeyInterner.Answer, _ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard count > 1 else { return 0 }
        if host.isNew { shards.append(UInt8(truncatingIfNeeded: place(of: text))) }
        return host.number == 0 ? place(of: text) : Int(shards[Int(host.number)])
    }

    /// Returns whether the producer must send the definition of this text to the shard before the event, and notes that
    /// the shard then has it. The encoder calls it once for each event and dimension.
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
