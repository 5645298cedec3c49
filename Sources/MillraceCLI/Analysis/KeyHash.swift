// SPDX-License-Identifier: Apache-2.0

/// A fast 64-bit hash of bytes, similar to wyhash: 16 bytes per step, with one wide multiplication each.
///
/// Clients write texts into a log by their requests. The seed is random for each process, so no client can choose texts
/// whose hashes collide.
struct KeyHash: Sendable {
    private let seed: UInt64
    private let secret: UInt64

    init() {
        var random = SystemRandomNumberGenerator()
        seed = random.next()
        secret = random.next() | 1
    }

    /// Returns the hash of a text. `ByteSearch.padding` bytes after the text must be readable.
    @inline(__always)
    func callAsFunction(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let start = text.baseAddress else { return seed }
        let count = text.count
        var hash = seed ^ UInt64(truncatingIfNeeded: count)
        var place = 0
        while count - place > 16 {
            hash = Self.mix(ByteSearch.word(start + place) ^ secret, ByteSearch.word(start + place + 8) ^ hash)
            place += 16
        }
        // 0 to 16 bytes are left. The mask removes the bytes behind them.
        let left = count - place
        let low = ByteSearch.word(start + place) & Self.mask(left)
        let high = left > 8 ? ByteSearch.word(start + place + 8) & Self.mask(left - 8) : 0
        return Self.mix(secret, Self.mix(low ^ secret, high ^ hash))
    }

    @inline(__always)
    private static func mask(_ bytes: Int) -> UInt64 {
        bytes >= 8 ? .max : (1 &<< UInt64(truncatingIfNeeded: bytes &* 8)) &- 1
    }

    @inline(__always)
    private static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = first.multipliedFullWidth(by: second)
        return product.high ^ product.low
    }
}
