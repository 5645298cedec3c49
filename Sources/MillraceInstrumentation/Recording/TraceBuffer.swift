// SPDX-License-Identifier: Apache-2.0

/// The latest trace events, until a reader takes them: at most `room` of them. Like a ``Recording``, it has one owner
/// at a time.
final class TraceBuffer: @unchecked Sendable {
    // Unchecked because it has one owner at a time.
    private let room: Int
    private let first: UnsafeMutablePointer<TraceEvent>
    private var count = 0
    /// The index of the oldest event, once the buffer is full.
    private var oldest = 0
    /// The number of events that were overwritten by later ones.
    private(set) var missed: UInt64 = 0

    init(room: Int) {
        self.room = room
        first = .allocate(capacity: room)
    }

    deinit {
        // Events are trivial values: nothing to deinitialise.
        first.deallocate()
    }

    func append(_ event: TraceEvent) {
        guard count == room else {
            (first + count).initialize(to: event)
            count += 1
            return
        }
        guard room > 0 else { return missed &+= 1 }
        first[oldest] = event
        oldest = oldest + 1 == room ? 0 : oldest + 1
        missed &+= 1
    }

    /// The events, the oldest first.
    var events: [TraceEvent] {
        let all = UnsafeBufferPointer(start: first, count: count)
        return Array(all[oldest...]) + all[..<oldest]
    }
}
