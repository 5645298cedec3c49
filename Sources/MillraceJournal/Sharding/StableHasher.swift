// SPDX-License-Identifier: Apache-2.0

/// Makes the hash of a key that is the same in every process and on every machine. `Hasher` is not: it has another seed
/// in each process.
///
/// The algorithm is part of the format of a sharded journal: FNV-1a with 64 bits, then the finalizer of MurmurHash3.
public struct StableHasher: Sendable {
    /// The name of the algorithm in the files.
    static let name = "fnv1a64-fmix64"

    private var state: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01B3

    package init() {}

    /// Adds a number, as one step.
    public mutating func combine(_ number: UInt64) {
        state = (state ^ number) &* Self.prime
    }

    /// Adds bytes, one step each. Add their number, too, if another value follows.
    public mutating func combine(bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(UInt64(byte)) }
    }

    /// The hash of what was added.
    package consuming func finish() -> UInt64 {
        var hash = state
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
