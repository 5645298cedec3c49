// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Testing

@testable import Millrace

/// How large the next batch may be, by the times that a budget is told.
@Suite("Batch budget")
struct BatchBudgetTests {
    private let millisecond = millrace_clock_from_nanoseconds(1_000_000)
    private let start: UInt64 = 1_000_000

    /// A budget that knows that nothing was there at the start.
    private func makeBudget(atMost most: Int = 512) -> BatchBudget {
        var budget = BatchBudget(atMost: most)
        budget.idle(at: start)
        return budget
    }

    @Test("the first batch is of eight, or of the most if that is less")
    func first() {
        #expect(BatchBudget(atMost: 512).limit == 8)
        #expect(BatchBudget(atMost: 3).limit == 3)
        #expect(makeBudget().limit == 8)
    }

    @Test("quick full batches double it, up to the most", arguments: [1, 2, 8, 100, 512])
    func grows(most: Int) {
        var budget = makeBudget(atMost: most)
        var limits = [budget.limit]
        for batch in 1...10 as ClosedRange<UInt64> {
            budget.full(at: start + batch * (millisecond / 4))
            limits.append(budget.limit)
        }
        #expect(limits == (0...10).map { min(most, 8 << $0) })
    }

    @Test("a full batch that took longer than a millisecond makes the next one smaller in proportion")
    func slowFullBatch() {
        for (milliseconds, limit) in [(2, 4), (4, 2), (8, 1), (1_000, 1)] as [(UInt64, Int)] {
            var budget = makeBudget()
            budget.full(at: start + milliseconds * millisecond)
            #expect(budget.limit == limit)
        }
        // Measured from the end of the one before, and so on down to one.
        var budget = makeBudget()
        budget.full(at: start + 2 * millisecond)
        budget.full(at: start + 4 * millisecond)
        #expect(budget.limit == 2)
        budget.full(at: start + 104 * millisecond)
        #expect(budget.limit == 1)
        budget.full(at: start + 104 * millisecond + millisecond / 4)
        #expect(budget.limit == 2)
    }

    @Test("a full batch of half a millisecond to one leaves it as it is")
    func neither() {
        for ticks in [millisecond / 2, millisecond * 3 / 4, millisecond] {
            var budget = makeBudget()
            budget.full(at: start + ticks)
            #expect(budget.limit == 8)
        }
    }

    @Test("a slow batch that was not full makes it smaller, too; a quick one changes nothing")
    func notFull() {
        var slow = makeBudget()
        slow.empty(after: 6)
        slow.idle(at: start + 3 * millisecond)
        #expect(slow.limit == 2)
        var quick = makeBudget()
        quick.empty(after: 6)
        quick.idle(at: start + millisecond / 4)
        #expect(quick.limit == 8)
        // Never larger, though at this speed more than the limit would fit.
        quick.full(at: start + millisecond / 2)
        #expect(quick.limit == 16)
        quick.empty(after: 16)
        quick.idle(at: start + millisecond * 3 / 2 + 1)
        #expect(quick.limit <= 16)
    }

    @Test("a start that is not known changes nothing")
    func unknownStart() {
        var budget = BatchBudget(atMost: 512)
        budget.full(at: start)
        #expect(budget.limit == 8)
        var other = BatchBudget(atMost: 512)
        other.empty(after: 5)
        other.idle(at: start)
        #expect(other.limit == 8)
        // From then on it is known.
        budget.full(at: start + millisecond / 4)
        other.full(at: start + millisecond / 4)
        #expect(budget.limit == 16 && other.limit == 16)
    }

    @Test("idle time is not counted")
    func idleTime() {
        var budget = makeBudget()
        budget.empty(after: 3)
        budget.idle(at: start + millisecond / 4)
        let later = start + 3_600_000 * millisecond
        budget.idle(at: later)
        #expect(budget.limit == 8)
        budget.full(at: later + millisecond / 4)
        #expect(budget.limit == 16)
    }

    @Test("nor where nobody looks at a clock meanwhile, as with callers", arguments: [0, 3])
    func idleTimeOfCallers(taken: Int) {
        var budget = makeBudget()
        budget.full(at: start + millisecond / 4)
        budget.empty(after: taken)
        let later = start + 3_600_000 * millisecond
        budget.full(at: later)
        #expect(budget.limit == 16)
        budget.full(at: later + millisecond / 4)
        #expect(budget.limit == 32)
    }
}
