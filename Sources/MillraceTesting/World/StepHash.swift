// SPDX-License-Identifier: Apache-2.0

/// A hash of the steps of a run that is the same in every process: FNV-1a by words.
struct StepHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x0000_0100_0000_01B3
        value ^= value >> 29
    }
}
