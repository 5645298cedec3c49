// SPDX-License-Identifier: Apache-2.0

import MillraceRuntime

/// The number of slots that a batch may consume. It keeps batches of slow actions short, because the consumer has other
/// duties between two batches. It publishes, reports, reserves places for producers that wait, and checks whether the
/// store was closed.
///
/// A batch that took longer than a millisecond makes the next one smaller in proportion. A full batch that took less
/// than half a millisecond makes the next one twice as large. So if actions suddenly become slow, one batch is long and
/// the next ones are short. The times come from clock reads that are made anyway: when a full batch ends, and when the
/// queue is found empty.
struct BatchBudget {
    private(set) var limit: Int
    private let most: Int
    /// Ticks at the start of the current batch; 0: unknown.
    private var began: UInt64 = 0
    /// The slots of batches that were not full and whose end time is not known yet; nil: there was none since `began`.
    private var taken: Int?

    private let millisecond: UInt64

    /// - Parameter millisecond: A millisecond in the unit of the times that the budget is told.
    init(atMost most: Int, millisecond: UInt64 = Ticks.count(in: .milliseconds(1))) {
        self.millisecond = millisecond
        self.most = most
        limit = min(8, most)
    }

    /// Notes the end of a batch that reached the limit.
    mutating func full(at ticks: UInt64) {
        let took = TickClock.passed(began, ticks)
        // If the clock was not read while the queue was empty, the elapsed time is not the time of the batch.
        let isKnown = began != 0 && taken == nil
        began = ticks
        taken = nil
        guard isKnown else { return }
        shrink(limit, took)
        if took < millisecond / 2 { limit = min(most, limit * 2) }
    }

    /// Notes the end of a batch that left the queue empty, or that found the queue empty (`taken` is 0).
    mutating func empty(after taken: Int) {
        self.taken = (self.taken ?? 0) &+ taken
    }

    /// Notes that the queue is empty at this time. The next batch begins then.
    mutating func idle(at ticks: UInt64) {
        if let taken, taken > 0, began != 0 { shrink(taken, TickClock.passed(began, ticks)) }
        taken = nil
        began = ticks
    }

    private mutating func shrink(_ taken: Int, _ took: UInt64) {
        if took > millisecond { limit = min(limit, max(1, Int(UInt64(taken) &* millisecond / took))) }
    }
}
