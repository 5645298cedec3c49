// SPDX-License-Identifier: Apache-2.0

/// Random numbers that depend on a seed alone, in every process and on every machine.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var numbers: SeededNumbers

    /// Creates the numbers of a seed.
    public init(seed: UInt64) {
        numbers = SeededNumbers(seed)
    }

    /// Returns the next number.
    public mutating func next() -> UInt64 { numbers.next() }
}
