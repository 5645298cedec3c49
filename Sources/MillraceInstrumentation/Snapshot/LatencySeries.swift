// SPDX-License-Identifier: Apache-2.0

/// The latencies over time, for a heat map and a curve of throughput: columns of equal duration, at most 600.
///
/// When they are full, each two become one, of twice the duration. A column says how many of the measured actions that
/// were finished in it took how long in all, from dispatch or the intended time, in steps of half an octave.
public struct LatencySeries: Sendable, Hashable {
    /// The most columns.
    public static let mostColumns = 600

    /// Rows of a column: 1 ns to 1 h and beyond.
    @inlinable public static var rows: Int { 86 }

    /// A part of the time.
    public struct Column: Sendable, Hashable {
        /// Actions by how long they took; see ``LatencySeries/lowest(ofRow:)``.
        public internal(set) var counts: [UInt64]
        /// All of them: what was measured, not what ran; with sampling see ``InstrumentationSnapshot/scale``.
        public var total: UInt64 { counts.reduce(0, +) }

        /// A column.
        public init(counts: [UInt64] = Array(repeating: 0, count: LatencySeries.rows)) {
            self.counts = counts
        }
    }

    /// How long a column is.
    public internal(set) var columnNanoseconds: UInt64
    /// Where the first column begins, in nanoseconds from ``InstrumentationSnapshot/since``; 0 also for one that has begun
    /// before that, in the interval before.
    public internal(set) var offsetNanoseconds: UInt64
    /// The columns, without a gap; the last one may not be over.
    public internal(set) var columns: [Column]

    /// A series.
    public init(columnNanoseconds: UInt64, offsetNanoseconds: UInt64 = 0, columns: [Column] = []) {
        self.columnNanoseconds = columnNanoseconds
        self.offsetNanoseconds = offsetNanoseconds
        self.columns = columns
    }

    /// The row of a time: two an octave, so that 3·2ᵏ begins the second.
    @inlinable
    public static func row(of nanoseconds: UInt64) -> Int {
        guard nanoseconds > 1 else { return 0 }
        let octave = 63 - nanoseconds.leadingZeroBitCount
        let half = Int(truncatingIfNeeded: nanoseconds >> UInt64(octave - 1)) & 1
        return min(2 * octave + half, rows - 1)
    }

    /// The shortest time of a row, in nanoseconds.
    public static func lowest(ofRow row: Int) -> UInt64 {
        // Row 1 would be 1.5 ns: it is empty.
        row == 0 ? 0 : row == 1 ? 2 : UInt64(2 + row % 2) << UInt64(row / 2 - 1)
    }
}
