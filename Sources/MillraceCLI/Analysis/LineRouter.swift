// SPDX-License-Identifier: Apache-2.0

/// One producer's way from a host to its shard, and its memory of which shard knows which text.
///
/// The shard of a host depends on its text alone, so producers agree on it. It is computed once a host: an event then
/// costs an access to an array, and one more for each of its texts.
struct LineRouter: ~Copyable {
    private let hash: KeyHash
    private let count: Int
    /// Per host, by its number; 0 is not used.
    private var shards: ContiguousArray<UInt8> = [0]
    /// Per dimension and number, the shards that have the definition as bits.
    private var known: ContiguousArray<ContiguousArray<UInt64>>

    init(hash: KeyHash, count: Int) {
        self.hash = hash
        self.count = count
        known = ContiguousArray(repeating: [0], count: KeyDimension.allCases.count)
    }

    /// The shard of a host.
    @inline(__always)
    mutating func shard(of host: KeyInterner.Answer, _ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard count > 1 else { return 0 }
        if host.isNew { shards.append(UInt8(truncatingIfNeeded: place(of: text))) }
        return host.number == 0 ? place(of: text) : Int(shards[Int(host.number)])
    }

    /// Whether this shard has to be told the text of this number first. It is asked once an event and dimension.
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
        Int(truncatingIfNeeded: hash(text).multipliedFullWidth(by: UInt64(count)).high)
    }
}
