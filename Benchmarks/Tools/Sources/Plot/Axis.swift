// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A logarithmic axis from one power of ten to another, in either direction of the picture.
struct Axis {
    private let start: Double
    private let end: Double
    private let low: Int
    private let high: Int

    /// Creates the shortest axis that has a place for all values, which must be positive.
    ///
    /// - Parameters:
    ///   - start: The coordinate of the lowest power of ten.
    ///   - end: The coordinate of the highest one.
    init(from start: Double, to end: Double, values: [Double]) {
        self.start = start
        self.end = end
        let low = Int(log10(values.min() ?? 1).rounded(.down))
        self.low = low
        high = max(low + 1, Int(log10(values.max() ?? 1).rounded(.up)))
    }

    /// The values of the lines: the powers of ten.
    var ticks: [Double] { (low...high).map { pow(10, Double($0)) } }

    /// Returns the coordinate of a value.
    func place(of value: Double) -> Double {
        start + (log10(value) - Double(low)) / Double(high - low) * (end - start)
    }
}
