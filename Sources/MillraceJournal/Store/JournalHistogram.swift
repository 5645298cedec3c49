// SPDX-License-Identifier: Apache-2.0

/// How often a figure of a journal was in each of some ranges.
public struct JournalHistogram: Hashable, Sendable {
    /// The upper limits of the ranges, ascending. A figure belongs to the first range whose limit it does not exceed.
    public let limits: [UInt64]
    /// How often the figure was in each range; one more than `limits`, for the figures above the last limit.
    public private(set) var counts: [UInt64]
    /// The sum of all figures.
    public private(set) var sum: UInt64 = 0

    /// Creates a histogram without figures.
    ///
    /// - Parameter limits: The upper limits of the ranges, ascending.
    public init(limits: [UInt64]) {
        self.limits = limits
        counts = Array(repeating: 0, count: limits.count + 1)
    }

    /// The number of figures.
    public var count: UInt64 { counts.reduce(0, &+) }

    /// The average of the figures; 0 if there are none.
    public var average: Double { count == 0 ? 0 : Double(sum) / Double(count) }

    /// Returns the limit of the range in which a part of the figures has been reached; nil if that is above the last
    /// limit, or there are no figures.
    ///
    /// - Parameter part: For example 0.99.
    public func limit(of part: Double) -> UInt64? {
        let wanted = Double(count) * part
        var reached: UInt64 = 0
        for (limit, count) in zip(limits, counts) where count > 0 {
            reached &+= count
            if Double(reached) >= wanted { return limit }
        }
        return nil
    }

    /// Adds a figure.
    mutating func add(_ figure: UInt64) {
        counts[limits.firstIndex { figure <= $0 } ?? limits.count] &+= 1
        sum &+= figure
    }

    /// The times of syncs, in nanoseconds: 20 µs to 5 s.
    static var times: JournalHistogram {
        JournalHistogram(
            limits: [
                20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000,
                50_000_000, 100_000_000, 200_000_000, 500_000_000, 1_000_000_000, 2_000_000_000, 5_000_000_000,
            ]
        )
    }

    /// The numbers of actions in groups: the powers of two up to 65,536.
    static var sizes: JournalHistogram { JournalHistogram(limits: (0...16).map { 1 << $0 }) }
}
