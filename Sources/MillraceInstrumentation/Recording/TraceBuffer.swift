// SPDX-License-Identifier: Apache-2.0

/// The events of a trace until somebody fetches them: the last ones, as many as there is room for. Of one owner at a
/// time, as ``Recording``.
final class TraceBuffer: @unchecked Sendable {
    // Unchecked for that reason.
    private let room: Int
    private let first: UnsafeMutablePointer<TraceEvent>
    private var count = 0
    /// Where the oldest one is, once it is full.
    private var oldest = 0
    /// Events that made room for later ones.
    private(set) var missed: UInt64 = 0

    init(room: Int) {
        self.room = room
        first = .allocate(capacity: room)
    }

    deinit {
        // Events are plain: nothing to deinitialise.
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

    /// The oldest one first.
    var events: [TraceEvent] {
        let all = UnsafeBufferPointer(start: first, count: count)
        return Array(all[oldest...]) + all[..<oldest]
    }
}
