// SPDX-License-Identifier: Apache-2.0

/// Finds the shard of a key. The same key always gets the same shard, within one run of the program.
@usableFromInline
package enum ShardKey {
    /// Returns the number of shards nearest to the wanted one. A cause has 16 bits for a shard.
    @inlinable
    package static func count(_ wanted: Int) -> Int { min(max(1, wanted), 1 << 16) }

    /// Returns the shard of a key by its hash value, as a dictionary does.
    @inlinable
    static func index(of key: some Hashable, among count: Int) -> Int {
        scale(UInt64(truncatingIfNeeded: key.hashValue), to: count)
    }

    /// Returns the shard of a whole number by one multiplication. Neighbouring numbers go to different shards.
    @inlinable
    static func index(of key: some FixedWidthInteger, among count: Int) -> Int {
        // The fractional part of the golden ratio in 64 bits (Knuth, TAOCP 3, section 6.4).
        scale(UInt64(truncatingIfNeeded: key) &* 0x9E37_79B9_7F4A_7C15, to: count)
    }

    /// Returns the upper half of the product. It depends on the high bits, and needs no division.
    @inlinable
    package static func scale(_ hash: UInt64, to count: Int) -> Int {
        Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(truncatingIfNeeded: count)).high)
    }
}
