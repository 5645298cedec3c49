// SPDX-License-Identifier: Apache-2.0

import Histogram

/// The buckets of a histogram that are not empty, in order.
///
/// The histogram's own iterators also add up the values, and trap when the sum exceeds 64 bits: for example, 10⁹ waits
/// of half a minute.
struct RecordedBuckets: Sequence, IteratorProtocol {
    private let histogram: Histogram<UInt64>
    private var value: UInt64
    /// The number of values in a bucket; it changes only at powers of two.
    private var width: UInt64
    private var remaining: UInt64

    init(_ histogram: Histogram<UInt64>) {
        self.histogram = histogram
        value = histogram.lowestEquivalentForValue(histogram.min)
        width = histogram.sizeOfEquivalentRangeForValue(value)
        remaining = histogram.totalCount
    }

    mutating func next() -> (values: ClosedRange<UInt64>, count: UInt64)? {
        while remaining > 0, value <= histogram.highestTrackableValue {
            let lowest = value
            let count = histogram.countForValue(lowest)
            value += width
            if value & (value - 1) == 0 { width = histogram.sizeOfEquivalentRangeForValue(value) }
            guard count > 0 else { continue }
            remaining -= Swift.min(count, remaining)
            return (lowest...(value - 1), count)
        }
        return nil
    }
}
