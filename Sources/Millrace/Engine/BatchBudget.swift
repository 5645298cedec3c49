// SPDX-License-Identifier: Apache-2.0

import CMillrace
import MillraceRuntime

/// How many slots a batch takes, so that a batch of slow actions does not last for ever: between two batches the
/// pipeline publishes, reports, lets producers in that wait for room, and sees that it was closed.
///
/// A batch that took longer than a millisecond makes the next one smaller in proportion, a full and quick one makes it
/// twice as large. So actions that turn slow all of a sudden make one batch long, and the next ones short. Times are
/// taken from clocks that are read anyway: when a full batch ends, and when the queue is found empty.
struct BatchBudget {
    private(set) var limit: Int
    private let most: Int
    /// Ticks at the start of the batch under way; 0: unknown.
    private var began: UInt64 = 0
    /// Of a batch that was not full, and whose end no clock has seen yet; nil: there was none since `began`.
    private var taken: Int?

    private static let millisecond = Ticks.count(in: .milliseconds(1))

    init(atMost most: Int) {
        self.most = most
        limit = min(8, most)
    }

    /// A batch as large as it may be has ended.
    mutating func full(at ticks: UInt64) {
        let took = millrace_clock_passed(began, ticks)
        // Where nobody looks at a clock while nothing is there, the time in between is not the batch's.
        let isKnown = began != 0 && taken == nil
        began = ticks
        taken = nil
        guard isKnown else { return }
        shrink(limit, took)
        if took < Self.millisecond / 2 { limit = min(most, limit * 2) }
    }

    /// A batch has ended because nothing was left, or there was none as nothing was there.
    mutating func empty(after taken: Int) {
        self.taken = (self.taken ?? 0) + taken
    }

    /// Nothing is there at this time: what comes next begins then.
    mutating func idle(at ticks: UInt64) {
        if let taken, taken > 0, began != 0 { shrink(taken, millrace_clock_passed(began, ticks)) }
        taken = nil
        began = ticks
    }

    private mutating func shrink(_ taken: Int, _ took: UInt64) {
        if took > Self.millisecond { limit = min(limit, max(1, Int(UInt64(taken) &* Self.millisecond / took))) }
    }
}
