// SPDX-License-Identifier: Apache-2.0

/// Texts that are drawn with given weights. A draw is one access to a table of 65,536 entries.
struct WeightedTexts: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]
    private let draws: [UInt16]

    /// Creates the table. Texts with larger weights are drawn more often. A text with less than 1/65536 of the total
    /// weight may never be drawn.
    init(_ texts: [String], weights: [Double]) {
        var bytes: [UInt8] = []
        var starts = [0]
        for text in texts {
            bytes.append(contentsOf: text.utf8)
            starts.append(bytes.count)
        }
        // A copy in steps of 32 bytes may read these bytes.
        bytes.append(contentsOf: repeatElement(0, count: 32))

        let total = weights.reduce(0, +)
        var draws: [UInt16] = []
        draws.reserveCapacity(1 << 16)
        var sum = 0.0
        for (place, weight) in weights.enumerated() {
            sum += weight
            let end = place == weights.count - 1 ? 1 << 16 : Int((sum / total * 65_536).rounded())
            while draws.count < end { draws.append(UInt16(place)) }
        }
        (self.bytes, self.starts, self.draws) = (bytes, starts, draws)
    }

    /// Creates a table with Zipf's law: the text at position n has the weight 1/n^exponent.
    init(zipf texts: [String], exponent: Double) {
        var weights: [Double] = []
        for place in 1...texts.count { weights.append(1 / power(Double(place), exponent)) }
        self.init(texts, weights: weights)
    }

    /// Writes the text for 16 random bits and returns the address behind it. Up to 32 bytes more are overwritten.
    @inline(__always)
    func write(_ random: UInt64, to place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let text = Int(draws[Int(random & 0xFFFF)])
        let start = starts[text]
        let count = starts[text + 1] - start
        bytes.withUnsafeBytes { all in
            var done = 0
            repeat {
                let part = all.loadUnaligned(fromByteOffset: start + done, as: SIMD32<UInt8>.self)
                UnsafeMutableRawPointer(place + done).storeBytes(of: part, as: SIMD32<UInt8>.self)
                done += 32
            } while done < count
        }
        return place + count
    }
}

/// Returns base^exponent for a base of at least 1 and an exponent of 0 to 2. The result is exact enough for weights,
/// and the same on all machines.
private func power(_ base: Double, _ exponent: Double) -> Double {
    // base^(k/64) by repeated square roots: uses exact IEEE operations only.
    var result = 1.0
    var root = base
    var rest = Int((exponent * 64).rounded())
    for _ in 0..<6 { root = root.squareRoot() }
    while rest > 0 {
        if rest & 1 == 1 { result *= root }
        root *= root
        rest >>= 1
    }
    return result
}
