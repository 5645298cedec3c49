// SPDX-License-Identifier: Apache-2.0

/// Records the queue's tail at certain times, so that the age of the oldest action is known without a time stamp in
/// each action.
///
/// A mark says: at this time the tail was at this position. So an action at this position or behind it arrived later.
/// Marks are made where the clock is read anyway: when the queue is found empty, and after each full batch. A backlog
/// keeps at most 32 marks. When they are full, every other one is removed. So the age of a backlog that grows steadily
/// is too large by at most a sixteenth of the time in which it grew.
struct ArrivalMarks {
    private struct Mark {
        var position: UInt64
        var ticks: UInt64
    }

    private static let most = 32

    private var marks: [Mark] = []
    /// The least number of ticks between two marks.
    private var spacing: UInt64 = 0

    init() {
        marks.reserveCapacity(Self.most)
    }

    var isEmpty: Bool { marks.isEmpty }

    /// Removes all marks: the age is unknown.
    @inline(__always)
    mutating func clear() {
        if !marks.isEmpty { marks.removeAll(keepingCapacity: true) }
    }

    /// Replaces all marks by one: the queue was empty at this time.
    mutating func restart(at position: UInt64, _ ticks: UInt64) {
        marks.removeAll(keepingCapacity: true)
        spacing = 0
        marks.append(Mark(position: position, ticks: ticks))
    }

    /// Adds a mark: the tail was at this position at this time.
    mutating func append(tail position: UInt64, _ ticks: UInt64) {
        if let last = marks.last, TickClock.between(last.ticks, ticks) < spacing { return }
        if marks.count == Self.most {
            for index in 0..<Self.most / 2 { marks[index] = marks[2 * index] }
            marks.removeLast(Self.most / 2)
            spacing = max(1, TickClock.passed(marks[0].ticks, ticks) / UInt64(Self.most / 2))
        }
        marks.append(Mark(position: position, ticks: ticks))
    }

    /// Returns the ticks since which the action at this position may be waiting; 0: unknown.
    mutating func since(_ position: UInt64) -> UInt64 {
        var first = 0
        while first + 1 < marks.count, marks[first + 1].position <= position { first += 1 }
        if first > 0 { marks.removeFirst(first) }
        guard let mark = marks.first, mark.position <= position else { return 0 }
        return mark.ticks
    }
}
