// SPDX-License-Identifier: Apache-2.0

import Histogram

/// The pipeline's form of a histogram: the counts of an HDR histogram in raw memory, at the same indices, without the
/// parts that a writer does not need. A reader converts it to a ``LatencyDistribution``.
///
/// The memory is allocated at the first use. The owner must call `deallocate()`.
struct HistogramWriter {
    /// The precision: two or three significant digits.
    enum Digits {
        case two, three

        /// Times below 2 to the power of `bits` have one place each. Above, each octave has half as many places.
        @inline(__always) var bits: Int { self == .two ? 8 : 11 }

        /// The number of places for times up to an hour.
        @inline(__always) var places: Int {
            (64 - LatencyDistribution.longest.leadingZeroBitCount - bits + 2) << (bits - 1)
        }

        var bytes: Int { places * 8 }
    }

    private var counts: UnsafeMutablePointer<UInt64>?
    private var sum: UInt64 = 0
    private var least = UInt64.max
    private var most: UInt64 = 0
    private var outliers: UInt64 = 0
    private var longestOutlier: UInt64 = 0

    @inline(__always) var isThere: Bool { counts != nil }

    /// Allocates the memory, unless that was done before.
    mutating func prepare(_ digits: Digits) {
        guard counts == nil else { return }
        let counts = UnsafeMutablePointer<UInt64>.allocate(capacity: digits.places)
        counts.initialize(repeating: 0, count: digits.places)
        self.counts = counts
    }

    /// Frees the memory. The writer must not be used afterwards.
    func deallocate() {
        counts?.deallocate()
    }

    @inline(__always)
    mutating func record(_ nanoseconds: UInt64, _ digits: Digits) {
        sum &+= nanoseconds
        guard nanoseconds <= LatencyDistribution.longest else { return recordOutlier(nanoseconds) }
        if counts == nil { makeRoom(digits) }
        counts.unsafelyUnwrapped[Self.place(of: nanoseconds, digits)] &+= 1
        if nanoseconds > most { most = nanoseconds }
        if nanoseconds < least { least = nanoseconds }
    }

    @inline(never)
    private mutating func makeRoom(_ digits: Digits) { prepare(digits) }

    @inline(never)
    private mutating func recordOutlier(_ nanoseconds: UInt64) {
        outliers &+= 1
        longestOutlier = max(longestOutlier, nanoseconds)
    }

    @inline(__always)
    private static func place(of nanoseconds: UInt64, _ digits: Digits) -> Int {
        let bits = digits.bits
        let octave = 64 - bits - (nanoseconds | (1 << UInt64(bits) - 1)).leadingZeroBitCount
        return octave &<< (bits - 1) &+ Int(truncatingIfNeeded: nanoseconds &>> UInt64(truncatingIfNeeded: octave))
    }

    /// Returns the shortest time of a place.
    private static func lowest(ofPlace place: Int, _ digits: Digits) -> UInt64 {
        let half = digits.bits - 1
        let octave = max(0, place >> half - 1)
        return UInt64(place - octave << half) << UInt64(octave)
    }

    mutating func add(_ other: HistogramWriter, _ digits: Digits) {
        sum &+= other.sum
        outliers += other.outliers
        longestOutlier = max(longestOutlier, other.longestOutlier)
        guard let others = other.counts else { return }
        prepare(digits)
        guard let counts else { return }
        for place in 0..<digits.places { counts[place] &+= others[place] }
        least = min(least, other.least)
        most = max(most, other.most)
    }

    /// Converts the writer to a histogram.
    func distribution(_ digits: Digits) -> LatencyDistribution {
        var result = LatencyDistribution(digits: digits == .two ? .two : .three)
        result.nanoseconds = sum
        result.outliers = outliers
        result.longestOutlier = longestOutlier
        guard let counts, least <= most else { return result }
        let (first, last) = (Self.place(of: least, digits), Self.place(of: most, digits))
        for place in first...last where counts[place] > 0 {
            // Record the least and the most value once each, so that the histogram knows both exactly.
            var count = counts[place]
            if place == first {
                result.histogram.record(least)
                count -= 1
            }
            if place == last, count > 0 {
                result.histogram.record(most)
                count -= 1
            }
            let value = min(max(Self.lowest(ofPlace: place, digits), least), most)
            if count > 0 { result.histogram.record(value, count: count) }
        }
        return result
    }
}
