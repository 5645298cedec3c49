// SPDX-License-Identifier: Apache-2.0

/// What one store's reducer wrote, in memory that was there before.
final class LatencyLog: @unchecked Sendable {
    // Unchecked because the pipeline alone adds, and it is read after a drain.
    private let values: UnsafeMutableBufferPointer<UInt64>
    private var count = 0

    init(capacity: Int) {
        values = .allocate(capacity: capacity)
        // Touched, or the first use of each page would be part of a latency.
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
