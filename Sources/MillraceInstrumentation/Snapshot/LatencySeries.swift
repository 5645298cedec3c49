// SPDX-License-Identifier: Apache-2.0

/// The latencies over time, for a heat map and a throughput curve: at most 600 columns of equal duration.
///
/// When all columns are in use, every two are merged into one of twice the duration. A column counts the measured
/// actions that were finished during its time. Its rows count them by total time, from dispatch or the intended time;
/// two rows cover each doubling of the time.
public struct LatencySeries: Sendable, Hashable {
    /// The most columns.
    public static let mostColumns = 600

    /// The number of rows of a column: 1 ns to 1 h and beyond.
    @inlinable public static var rows: Int { 86 }

    /// A period of the series.
    public struct Column: Sendable, Hashable {
        /// The number of actions in each row, by total time; see ``LatencySeries/lowest(ofRow:)``.
        public internal(set) var counts: [UInt64]
        /// The number of measured actions in the column. With sampling, more actions ran: see
        /// ``InstrumentationSnapshot/scale``.
        public var total: UInt64 { counts.reduce(0, +) }

        /// Creates a column.
        public init(counts: [UInt64] = Array(repeating: 0, count: LatencySeries.rows)) {
            self.counts = counts
        }
    }

    /// The duration of a column, in nanoseconds.
    public internal(set) var columnNanoseconds: UInt64
    /// The beginning of the first column, in nanoseconds from ``InstrumentationSnapshot/since``. It is 0 also for a
    /// column that began earlier, in the previous interval.
    public internal(set) var offsetNanoseconds: UInt64
    /// The columns, without a gap. The last column may not be complete.
    public internal(set) var columns: [Column]

    /// Creates a series.
    public init(columnNanoseconds: UInt64, offsetNanoseconds: UInt64 = 0, columns: [Column] = []) {
        self.columnNanoseconds = columnNanoseconds
        self.offsetNanoseconds = offsetNanoseconds
        self.columns = columns
    }

    /// Returns the row of a time. There are two rows from 2ᵏ⁺¹ to 2ᵏ⁺² ns, and the second one begins at 3·2ᵏ ns.
    @inlinable @inline(__always)
    public static func row(of nanoseconds: UInt64) -> Int {
        guard nanoseconds > 1 else { return 0 }
        let octave = 63 - nanoseconds.leadingZeroBitCount
        let half = Int(truncatingIfNeeded: nanoseconds &>> UInt64(octave &- 1)) & 1
        return min(2 &* octave &+ half, rows - 1)
    }

    /// Returns the shortest time of a row, in nanoseconds.
    public static func lowest(ofRow row: Int) -> UInt64 {
        // Row 1 would begin at 1.5 ns, so it is always empty.
        row == 0 ? 0 : row == 1 ? 2 : UInt64(2 + row % 2) << UInt64(row / 2 - 1)
    }
}
