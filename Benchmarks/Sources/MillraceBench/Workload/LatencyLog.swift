// SPDX-License-Identifier: Apache-2.0

/// The latencies that the reducer of one store writes, in memory that is allocated before.
final class LatencyLog: @unchecked Sendable {
    // Unchecked because only the pipeline adds values, and they are read after a drain.
    private let values: UnsafeMutableBufferPointer<UInt64>
    private var count = 0

    init(capacity: Int) {
        values = .allocate(capacity: capacity)
        // Writes to each page now. Otherwise its first use would be part of a latency.
        values.initialize(repeating: 0)
    }

    deinit { values.deallocate() }

    func add(_ value: UInt64) {
        guard count < values.count else { return }
        values[count] = value
        count += 1
    }

    var all: [UInt64] { Array(values.prefix(count)) }
}
