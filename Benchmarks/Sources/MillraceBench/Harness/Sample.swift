// SPDX-License-Identifier: Apache-2.0

/// A summary of several measurements of one figure. It has no mean, because one disturbed run would spoil it.
struct Sample: Encodable {
    let min: Double
    let median: Double
    let max: Double

    /// Returns all figures divided by `parts`.
    func divided(by parts: Double) -> Sample? { Sample([min / parts, median / parts, max / parts]) }

    /// Creates the summary of measurements; nil if there are none.
    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        min = first
        max = last
        let middle = sorted.count / 2
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
