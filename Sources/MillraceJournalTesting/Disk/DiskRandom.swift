// SPDX-License-Identifier: Apache-2.0

/// The chances of a disk, from a seed: a counter, mixed.
package struct DiskRandom: RandomNumberGenerator, Sendable {
    private var counter: UInt64

    package init(seed: UInt64) {
        counter = seed
    }

    package mutating func next() -> UInt64 {
        counter &+= 0x9E37_79B9_7F4A_7C15
        var mixed = counter
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
