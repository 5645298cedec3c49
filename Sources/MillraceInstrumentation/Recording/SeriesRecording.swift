// SPDX-License-Identifier: Apache-2.0

/// The latencies over time while they are recorded: a flat table of columns. All recordings use one grid, so that they
/// can be added. The owner must call `deallocate()`.
struct SeriesRecording {
    /// The width of the narrowest column, in nanoseconds.
    static let narrowest: UInt64 = 100_000_000

    static var bytes: Int { LatencySeries.mostColumns * LatencySeries.rows * 8 }

    /// The number of times that the width of a column was doubled.
    private var level: UInt64 = 0
    /// The number of the first column on the grid, and the number of columns.
    private var first: UInt64 = 0
    private var count = 0
    private let counts: UnsafeMutablePointer<UInt64>

    /// The end and the beginning of the last column, in nanoseconds from the grid's beginning. Times between them need
    /// no search for their column.
    private var lastEnd: UInt64 = 0
    private var lastBegin: UInt64 = 0

    init() {
        counts = .allocate(capacity: LatencySeries.mostColumns * LatencySeries.rows)
        counts.initialize(repeating: 0, count: LatencySeries.mostColumns * LatencySeries.rows)
    }

    /// Frees the memory. The series must not be used afterwards.
    func deallocate() {
        counts.deallocate()
    }

    private var width: UInt64 { Self.narrowest << level }

    /// Counts an action that was finished at `time`, in nanoseconds from the grid's beginning.
    @inline(__always)
    mutating func record(_ nanoseconds: UInt64, at time: UInt64) {
        if time < lastBegin || time >= lastEnd { seek(time) }
        counts[(count &- 1) &* LatencySeries.rows &+ LatencySeries.row(of: nanoseconds)] &+= 1
    }

    /// Makes the column that contains a time the last one.
    @inline(never)
    private mutating func seek(_ time: UInt64) {
        // The clocks of two processors may differ a little: an earlier time is counted in the last column.
        guard time >= lastEnd else { return }
        _ = column(of: time / width, of: level)
        lastBegin = (first + UInt64(count) - 1) * width
        lastEnd = lastBegin + width
    }

    /// Returns the index of a grid column of a level, and creates the column if it is missing. Halves the resolution
    /// until there is room.
    private mutating func column(of number: UInt64, of itsLevel: UInt64) -> Int {
        while level < itsLevel { halve() }
        if count == 0 { (first, count) = (number >> (level - itsLevel), 1) }
        while true {
            let number = number >> (level - itsLevel)
            // A column before the first is rare: it occurs when a recording is added that begins earlier.
            let begin = min(first, number)
            let end = max(first + UInt64(count), number + 1)
            if end - begin <= UInt64(LatencySeries.mostColumns) {
                if begin < first { shift(by: Int(first - begin)) }
                count = Int(end - first)
                return Int(number - first)
            }
            halve()
        }
    }

    private mutating func shift(by columns: Int) {
        let offset = columns * LatencySeries.rows
        for index in (0..<count * LatencySeries.rows).reversed() { counts[index + offset] = counts[index] }
        for index in 0..<offset { counts[index] = 0 }
        first -= UInt64(columns)
        count += columns
    }

    /// Merges every two columns into one, in place: a target's index is never greater than its sources' indices.
    private mutating func halve() {
        let rows = LatencySeries.rows
        for index in 0..<count {
            let target = Int((first + UInt64(index)) >> 1 - first >> 1)
            guard target < index else { continue }
            for row in 0..<rows {
                counts[target * rows + row] += counts[index * rows + row]
                counts[index * rows + row] = 0
            }
        }
        level += 1
        if count > 0 { count = Int((first + UInt64(count) - 1) >> 1 - first >> 1) + 1 }
        first >>= 1
    }

    mutating func add(_ other: SeriesRecording) {
        let rows = LatencySeries.rows
        for index in 0..<other.count {
            let target = column(of: other.first + UInt64(index), of: other.level)
            for row in 0..<rows { counts[target * rows + row] &+= other.counts[index * rows + row] }
        }
        lastEnd = 0
        lastBegin = 0
    }

    /// Returns the series for a snapshot that begins at `since`, in nanoseconds from the grid's beginning.
    func series(since: UInt64) -> LatencySeries {
        let rows = LatencySeries.rows
        let begin = first * width
        return LatencySeries(
            columnNanoseconds: width,
            offsetNanoseconds: begin > since ? begin - since : 0,
            columns: (0..<count).map {
                LatencySeries.Column(counts: Array(UnsafeBufferPointer(start: counts + $0 * rows, count: rows)))
            }
        )
    }
}
