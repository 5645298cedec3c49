// SPDX-License-Identifier: Apache-2.0

extension LatencyDistribution {
    /// Returns, for each limit, the number of times that do not exceed it. The limits must be in ascending order. A
    /// time in the same histogram bucket as a limit counts as not exceeding it.
    package func cumulativeCounts(_ limits: [UInt64]) -> [UInt64] {
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
