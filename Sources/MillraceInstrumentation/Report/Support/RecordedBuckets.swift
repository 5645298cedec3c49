// SPDX-License-Identifier: Apache-2.0

import Histogram

/// The buckets of a histogram that hold anything, in order.
///
/// The iterators of the histogram itself add up values as well, and trap where the sum leaves 64 bits: at a thousand
/// million waits of half a minute.
struct RecordedBuckets: Sequence, IteratorProtocol {
    private let histogram: Histogram<UInt64>
    private var value: UInt64
    /// How many values share a bucket here; it changes at powers of two only.
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
