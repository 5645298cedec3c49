// SPDX-License-Identifier: Apache-2.0

import Histogram

/// A histogram as the pipeline writes it: the counts of an HDR histogram in raw memory, in the same places, without
/// what a writer does not need. A reader makes a ``LatencyDistribution`` of it.
///
/// Its memory is taken at the first time, and the owner's to give back.
struct HistogramWriter {
    /// How fine it is: two, or three significant digits.
    enum Digits {
        case two, three

        /// Times below 2 to the power of this have a place each; above, each octave has half as many places.
        @inline(__always) var bits: Int { self == .two ? 8 : 11 }

        /// Places up to an hour.
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

    /// Takes its memory, if that was not done.
    mutating func prepare(_ digits: Digits) {
        guard counts == nil else { return }
        let counts = UnsafeMutablePointer<UInt64>.allocate(capacity: digits.places)
        counts.initialize(repeating: 0, count: digits.places)
        self.counts = counts
    }

    /// Not to be used any more.
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

    /// The shortest time of a place.
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

    /// The same as a histogram.
    func distribution(_ digits: Digits) -> LatencyDistribution {
        var result = LatencyDistribution(digits: digits == .two ? .two : .three)
        result.nanoseconds = sum
        result.outliers = outliers
        result.longestOutlier = longestOutlier
        guard let counts, least <= most else { return result }
        let (first, last) = (Self.place(of: least, digits), Self.place(of: most, digits))
        for place in first...last where counts[place] > 0 {
            // One of the least and one of the most, so that the histogram knows both exactly.
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
