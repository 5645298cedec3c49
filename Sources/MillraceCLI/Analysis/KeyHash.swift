// SPDX-License-Identifier: Apache-2.0

/// A fast 64-bit hash of bytes, in the manner of wyhash: 16 bytes a step, one wide multiplication each.
///
/// Logs hold what strangers send: the seed is random for each process, so that nobody can choose texts that collide.
struct KeyHash: Sendable {
    private let seed: UInt64
    private let secret: UInt64

    init() {
        var random = SystemRandomNumberGenerator()
        seed = random.next()
        secret = random.next() | 1
    }

    /// `ByteSearch.padding` bytes after the text must be readable.
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
        // 0 to 16 bytes are left; what lies behind them is masked out.
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
