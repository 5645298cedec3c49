// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Testing

@testable import Millrace

/// A thread that changes cores may read a clock that is some ticks behind the one it read before.
@Suite("A clock some ticks behind")
struct ClockStepTests {
    private let start: UInt64 = 1_000_000
    private let step: UInt64 = 40

    @Test("does not make a batch look endless")
    func batchBudget() {
        var budget = BatchBudget(atMost: 512)
        budget.idle(at: start)
        budget.full(at: start - step)
        #expect(budget.limit == 16)
        budget.empty(after: 3)
        budget.idle(at: start - 2 * step)
        #expect(budget.limit == 16)
    }

    @Test("does not end the recording of arrivals")
    func arrivalMarks() {
        var marks = ArrivalMarks()
        marks.restart(at: 0, start)
        // More than are kept, so that the spacing is set anew from the first and the last.
        for position in 1...40 as ClosedRange<UInt64> { marks.append(tail: position, start - step) }
        marks.append(tail: 100, start + 1_000_000)
        #expect(marks.since(100) == start + 1_000_000)
    }
}
