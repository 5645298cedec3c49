// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A share of events: `0.05` or `5%`.
struct AlertRate: ExpressibleByArgument, Equatable, Sendable, CustomStringConvertible {
    /// 0 to 1.
    let share: Double

    init?(argument: String) {
        let isPercent = argument.hasSuffix("%")
        guard let number = Double(isPercent ? String(argument.dropLast()) : argument) else { return nil }
        let share = isPercent ? number / 100 : number
        guard share >= 0, share < 1 else { return nil }
        self.share = share
    }

    var description: String { "\(Figures.fixed(share * 100, 1)) %" }
}
