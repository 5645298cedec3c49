// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A case in which a law does not hold.
public struct Counterexample: Sendable, CustomStringConvertible {
    /// The seed that made the case.
    public let seed: UInt64
    /// What did not hold.
    public let reason: String

    /// Says how to see the failure again.
    public var description: String {
        "\(reason). Replay this one case with MILLRACE_SEED=\(seed)"
    }
}

/// Looks for a case in which a law does not hold.
///
/// ```swift
/// let counterexample = firstCounterexample { random in
///     let n = Int.random(in: 0..<100, using: &random)
///     return n + 0 == n ? nil : "\(n) + 0 is not \(n)"
/// }
/// #expect(counterexample == nil)
/// ```
///
/// Each case has its own seed, counted on from a start that differs from run to run. With `MILLRACE_SEED` in the
/// environment exactly the one case of that seed is tried.
/// - Parameters:
///   - cases: how many cases to try.
///   - environment: where to look for the seed; nil for the one of the process.
///   - law: makes a case from the generator; returns nil if the law holds in it, else what did not.
/// - Returns: nil if the law held in every case.
public func firstCounterexample(
    cases: Int = 200,
    environment: [String: String]? = nil,
    _ law: (inout SplitMix64) -> String?
) -> Counterexample? {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let seeds: [UInt64]
    if let seed = environment["MILLRACE_SEED"].flatMap(UInt64.init) {
        seeds = [seed]
    } else {
        let start = UInt64.random(in: 0...UInt64(UInt32.max))
        seeds = (0..<UInt64(cases)).map { start + $0 }
    }
    for seed in seeds {
        var random = SplitMix64(seed: seed)
        if let reason = law(&random) { return Counterexample(seed: seed, reason: reason) }
    }
    return nil
}
