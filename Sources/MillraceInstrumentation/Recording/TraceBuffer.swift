// SPDX-License-Identifier: Apache-2.0

/// The events of a trace until somebody fetches them; as many as there is room for. Of one owner at a time, as
/// ``Recording``.
final class TraceBuffer: @unchecked Sendable {
    // Unchecked for that reason.
    private let room: Int
    private let first: UnsafeMutablePointer<TraceEvent>
    private var count = 0
    /// Events that found no room.
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
        guard count < room else { return missed &+= 1 }
        (first + count).initialize(to: event)
        count += 1
    }

    var events: [TraceEvent] { Array(UnsafeBufferPointer(start: first, count: count)) }
}
