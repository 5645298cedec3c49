// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A logarithmic axis from one power of ten to another.
struct Axis {
    let left: Double
    let right: Double
    private let low: Int
    private let high: Int

    /// Creates the shortest axis that has a place for all values, which must be positive.
    init(left: Double, right: Double, values: [Double]) {
        self.left = left
        self.right = right
        let low = Int(log10(values.min() ?? 1).rounded(.down))
        self.low = low
        high = max(low + 1, Int(log10(values.max() ?? 1).rounded(.up)))
    }

    /// The values of the lines: the powers of ten.
    var ticks: [Double] { (low...high).map { pow(10, Double($0)) } }

    /// Returns the horizontal place of a value.
    func place(of value: Double) -> Double {
        left + (log10(value) - Double(low)) / Double(high - low) * (right - left)
    }
}
