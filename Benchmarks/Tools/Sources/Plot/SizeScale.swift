// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The horizontal axis of a plot: sizes by their logarithms, or words at equal distances. If 0 is one of the sizes, they
/// stand by the logarithms of the size plus one.
struct SizeScale {
    /// What stands below the plot.
    let labels: [(x: Double, text: String)]
    private let places: [Int: Double]

    /// Creates the axis from one coordinate to another, with a place for each of the sizes.
    init(_ kind: CliffPanel.Sizes, sizes: [Int], from start: Double, to end: Double) {
        let sizes = Set(sizes).sorted()
        let offset = sizes.first == 0 ? 1.0 : 0
        let weights = sizes.indices.map { index in
            if case .words = kind { Double(index) } else { log(Double(sizes[index]) + offset) }
        }
        let low = weights.first ?? 0
        let range = max((weights.last ?? 1) - low, 1e-9)
        var places: [Int: Double] = [:]
        var labels: [(x: Double, text: String)] = []
        var free = -Double.infinity
        for (index, size) in sizes.enumerated() {
            let x = start + (weights[index] - low) / range * (end - start)
            places[size] = x
            let text =
                switch kind {
                case .numbers: size.grouped
                case .bytes: size.bytes
                case .words(let words): index < words.count ? words[index] : size.grouped
                }
            // A label that would touch the one before it is left out.
            let half = Double(text.count) * 3
            guard x - half > free else { continue }
            labels.append((x, text))
            free = x + half + 4
        }
        self.places = places
        self.labels = labels
    }

    /// Returns the coordinate of one of the sizes.
    func place(of size: Int) -> Double { places[size] ?? 0 }
}
