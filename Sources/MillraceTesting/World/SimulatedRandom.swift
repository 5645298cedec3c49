// SPDX-License-Identifier: Apache-2.0

/// Random numbers that depend on the seed of a ``SimulatedWorld`` alone. All copies share one sequence of numbers.
public struct SimulatedRandom: RandomNumberGenerator, Sendable {
    private let scheduler: Scheduler

    init(_ scheduler: Scheduler) {
        self.scheduler = scheduler
    }

    /// Returns the next number.
    public mutating func next() -> UInt64 { scheduler.random() }
}

/// A sequence of random numbers from a seed: the hash of a counter.
struct SeededNumbers {
    private var counter: UInt64

    init(_ seed: UInt64) {
        counter = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x632B_E59B_D9B4_E019
    }

    mutating func next() -> UInt64 {
        counter &+= 0x9E37_79B9_7F4A_7C15
        var mixed = counter
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `count - 1`.
    mutating func next(below count: Int) -> Int { Int(next() % UInt64(count)) }
}
