// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A share of events, written as `0.05` or `5%`.
struct AlertRate: Equatable, Sendable, CustomStringConvertible {
    /// The share, from 0 to less than 1. Any failure is above 0; nothing would be above 1.
    let share: Double

    /// Returns the value of an option.
    static func option(_ argument: String) throws -> AlertRate {
        guard let rate = AlertRate(argument: argument) else {
            throw ValidationError("It must be from 0 (any failure) to less than 1, or from 0% to less than 100%.")
        }
        return rate
    }

    init?(argument: String) {
        let isPercent = argument.hasSuffix("%")
        guard let number = Double(isPercent ? String(argument.dropLast()) : argument) else { return nil }
        let share = isPercent ? number / 100 : number
        guard share >= 0, share < 1 else { return nil }
        self.share = share
    }

    var description: String { "\(Figures.fixed(share * 100, 1)) %" }
}
