// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import TestSupport
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

/// As after the migration of a virtual machine, or a suspension.
@Suite("A clock that steps by hours")
struct LargeClockStepTests {
    private static let hour = TickClock.ticks(nanoseconds: 3_600_000_000_000)
    /// A time between the steps.
    private let start = 100 * hour
    /// An hour back, and a day forward.
    private static let steps: [UInt64] = [0 &- hour, 24 * hour]

    @Test("does not leave batches small for long", arguments: steps)
    func batchBudget(step: UInt64) {
        var budget = BatchBudget(atMost: 512)
        budget.idle(at: start)
        budget.full(at: start &+ step)
        #expect(budget.limit >= 1)
        // Full batches that take no time.
        for _ in 0..<10 { budget.full(at: start &+ step) }
        #expect(budget.limit == 512)
        budget.empty(after: 3)
        budget.idle(at: start)
        for _ in 0..<10 { budget.full(at: start) }
        #expect(budget.limit == 512)
    }

    @Test("spoils the ages of one backlog, and not of the next", arguments: steps)
    func arrivalMarks(step: UInt64) {
        var marks = ArrivalMarks()
        marks.restart(at: 0, start)
        for position in 1...100 as ClosedRange<UInt64> { marks.append(tail: position, start &+ step &+ position) }
        #expect([start, start &+ step &+ 1].contains(marks.since(1)))
        let next = start &+ step &+ 1_000
        marks.restart(at: 200, next)
        marks.append(tail: 210, next + 7)
        #expect(marks.since(200) == next && marks.since(210) == next + 7)
    }

    @Test("back does not thin out the marks that follow")
    func marksAfterAStepBack() {
        var marks = ArrivalMarks()
        marks.restart(at: 0, start)
        for position in 1...20 as ClosedRange<UInt64> { marks.append(tail: position, start + position) }
        let late = start - Self.hour
        for position in 21...100 as ClosedRange<UInt64> { marks.append(tail: position, late + position) }
        #expect(marks.since(100) == late + 100)
    }

    @Test("does not stop the publications of a store that publishes from time to time", arguments: steps)
    func publication(step: UInt64) {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            // Its consumer does not run here: nothing is dispatched.
            engine: .queue(DispatchQueue(label: "steps")),
            publication: .atMost(every: .seconds(1))
        )
        let consumer = store.core.consumer
        consumer.counters.pointee.isDirty = true
        consumer.counters.pointee.published = consumer.now &- step
        #expect(consumer.nanosecondsToPublication() == 0)
        withinFrame(of: store.core) { consumer.publishAfterBatch() }
        #expect(!consumer.counters.pointee.isDirty)
        // The clock of another core is some ticks behind.
        consumer.counters.pointee.isDirty = true
        consumer.counters.pointee.published = consumer.now &+ 40
        #expect(consumer.nanosecondsToPublication() ?? 0 > 900_000_000)
    }

    @Test("the ticks between two stamps have no sign")
    func between() {
        #expect(TickClock.between(5, 7) == 2 && TickClock.between(7, 5) == 2 && TickClock.between(7, 7) == 0)
        #expect(TickClock.between(0, .max) == .max)
    }
}
