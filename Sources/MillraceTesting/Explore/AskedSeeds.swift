// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The seeds of an exploration or of a property test: those of the call, or the one in the variable `MILLRACE_SEED`.
package struct AskedSeeds {
    /// Why there is nothing to run.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    package let seeds: ClosedRange<UInt64>
    /// Whether `MILLRACE_SEED` is set.
    package let isReplay: Bool

    /// The number of seeds.
    package var count: Int {
        let (count, isTooLarge) = Int(clamping: seeds.upperBound - seeds.lowerBound).addingReportingOverflow(1)
        return isTooLarge ? .max : count
    }

    /// - Parameters:
    ///   - range: The seeds of the call.
    ///   - asked: The value of `MILLRACE_SEED`; nil or empty: not set.
    package init(
        _ range: Range<UInt64>,
        asked: String? = AskedSeeds.environment
    ) throws(Problem) {
        if let asked, !asked.isEmpty {
            guard let seed = UInt64(asked) else {
                throw Problem(
                    description: "MILLRACE_SEED is '\(asked)', which is no seed: give a number from 0 to \(UInt64.max)"
                )
            }
            (seeds, isReplay) = (seed...seed, true)
        } else {
            guard let last = range.last else {
                throw Problem(description: "there is no seed to run: the range \(range) is empty")
            }
            (seeds, isReplay) = (range.lowerBound...last, false)
        }
    }

    package static var environment: String? { ProcessInfo.processInfo.environment["MILLRACE_SEED"] }

    /// The command that runs a seed of a test again.
    package static func command(_ seed: UInt64, _ function: String) -> String {
        let name = String(function.prefix { $0 != "(" })
        let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return "MILLRACE_SEED=\(seed) swift test --filter \(isWord ? name : "'\(name)'")"
    }
}
