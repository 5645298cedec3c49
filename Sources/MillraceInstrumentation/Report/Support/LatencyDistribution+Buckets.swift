// SPDX-License-Identifier: Apache-2.0

extension LatencyDistribution {
    /// How many times did not exceed each of the limits, which ascend. What shares the histogram's bucket with a limit
    /// counts as not exceeding it.
    func cumulativeCounts(_ limits: [UInt64]) -> [UInt64] {
        var counts: [UInt64] = []
        counts.reserveCapacity(limits.count)
        var reached: UInt64 = 0
        for bucket in RecordedBuckets(histogram) {
            while counts.count < limits.count, bucket.values.lowerBound > limits[counts.count] {
                counts.append(reached)
            }
            reached += bucket.count
        }
        return counts + Array(repeating: reached, count: limits.count - counts.count)
    }
}
