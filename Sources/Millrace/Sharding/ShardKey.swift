// SPDX-License-Identifier: Apache-2.0

/// Which of several shards a key belongs to. The same key always gets the same one, within one run of the program.
@usableFromInline
enum ShardKey {
    /// Hashes, as a dictionary does.
    @inlinable
    static func index(of key: some Hashable, among count: Int) -> Int {
        scale(UInt64(truncatingIfNeeded: key.hashValue), to: count)
    }

    /// Of whole numbers by one multiplication; neighbours go to different shards.
    @inlinable
    static func index(of key: some FixedWidthInteger, among count: Int) -> Int {
        // The golden ratio's fraction in 64 bits (Knuth, TAOCP 3, section 6.4).
        scale(UInt64(truncatingIfNeeded: key) &* 0x9E37_79B9_7F4A_7C15, to: count)
    }

    /// The upper half of the product: uses the high bits, and needs no division.
    @inlinable
    static func scale(_ hash: UInt64, to count: Int) -> Int {
        Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(truncatingIfNeeded: count)).high)
    }
}
