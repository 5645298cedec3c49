// SPDX-License-Identifier: Apache-2.0

import MillraceRuntime

/// How many slots a batch takes, so that a batch of slow actions does not last for ever: between two batches the
/// pipeline publishes, reports, lets producers in that wait for room, and sees that it was closed.
///
/// A full batch that took longer than a millisecond makes the next one smaller in proportion, a quick one twice as
/// large. The time is that between the ends of two full batches, so that no clock is read which is not read anyway.
struct BatchBudget {
    private(set) var limit: Int
    private let most: Int
    /// Ticks at the end of the batch before, if that was full; else 0.
    private var before: UInt64 = 0

    private static let millisecond = Ticks.count(in: .milliseconds(1))

    init(atMost most: Int) {
        self.most = most
        limit = min(32, most)
    }

    /// A batch as large as it may be has ended.
    mutating func full(at ticks: UInt64) {
        let took = ticks &- before
        let isKnown = before != 0
        before = ticks
        guard isKnown else { return }
        if took > Self.millisecond {
            limit = max(1, Int(UInt64(limit) &* Self.millisecond / took))
        } else if took < Self.millisecond / 2 {
            limit = min(most, limit * 2)
        }
    }

    /// A batch has ended because nothing was left.
    mutating func empty() {
        before = 0
    }
}
