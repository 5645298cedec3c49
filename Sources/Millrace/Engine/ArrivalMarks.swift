// SPDX-License-Identifier: Apache-2.0

import CMillrace

/// Remembers when the queue was how long, so that the age of the oldest action is known without a time stamp in each.
///
/// A mark says: at that time the tail was at that position; so whatever is at it or after it arrived later. Made where
/// the clock is read anyway: when the queue was found empty, and after each full batch. A backlog keeps at most 32
/// marks; when they are full every other one goes, so that the age is known to about a thirtieth of it.
struct ArrivalMarks {
    private struct Mark {
        var position: UInt64
        var ticks: UInt64
    }

    private static let most = 32

    private var marks: [Mark] = []
    /// A new mark is this much later than the one before.
    private var spacing: UInt64 = 0

    init() {
        marks.reserveCapacity(Self.most)
    }

    var isEmpty: Bool { marks.isEmpty }

    /// Nothing is known.
    mutating func clear() {
        if !marks.isEmpty { marks.removeAll(keepingCapacity: true) }
    }

    /// The queue was empty.
    mutating func restart(at position: UInt64, _ ticks: UInt64) {
        marks.removeAll(keepingCapacity: true)
        spacing = 0
        marks.append(Mark(position: position, ticks: ticks))
    }

    /// The tail was here.
    mutating func append(tail position: UInt64, _ ticks: UInt64) {
        if let last = marks.last, millrace_clock_passed(last.ticks, ticks) < spacing { return }
        if marks.count == Self.most {
            for index in 0..<Self.most / 2 { marks[index] = marks[2 * index] }
            marks.removeLast(Self.most / 2)
            spacing = max(1, millrace_clock_passed(marks[0].ticks, ticks) / UInt64(Self.most / 2))
        }
        marks.append(Mark(position: position, ticks: ticks))
    }

    /// Since when the action at this position may be waiting; 0: not known.
    mutating func since(_ position: UInt64) -> UInt64 {
        var first = 0
        while first + 1 < marks.count, marks[first + 1].position <= position { first += 1 }
        if first > 0 { marks.removeFirst(first) }
        guard let mark = marks.first, mark.position <= position else { return 0 }
        return mark.ticks
    }
}
