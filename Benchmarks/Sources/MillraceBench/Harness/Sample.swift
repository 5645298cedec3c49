// SPDX-License-Identifier: Apache-2.0

/// What is said of a number of measurements of one thing: no means, which one disturbed run would spoil.
struct Sample: Encodable {
    let min: Double
    let median: Double
    let max: Double

    /// The same, a part of it each.
    func divided(by parts: Double) -> Sample? { Sample([min / parts, median / parts, max / parts]) }

    /// Nil when there are none.
    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        min = first
        max = last
        let middle = sorted.count / 2
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
