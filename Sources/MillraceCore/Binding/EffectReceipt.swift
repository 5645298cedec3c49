// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The place of one effect in a journal that begins unfinished effects again after a crash.
package final class EffectReceipt: Sendable {
    /// The journal, as the two halves of its identity.
    package let journal: (low: UInt64, high: UInt64)
    /// The action that the effect answers.
    package let sequence: UInt64
    /// The place of the effect among those of its action.
    package let index: UInt32
    /// Whether the effect had ended before the store was recovered: then it must not begin again.
    package let hasEnded: Bool
    private let receipts: any EffectReceipts
    private let isTold = Atomic<Bool>(false)

    package init(
        _ receipts: any EffectReceipts,
        journal: (low: UInt64, high: UInt64),
        sequence: UInt64,
        index: UInt32,
        hasEnded: Bool
    ) {
        self.receipts = receipts
        self.journal = journal
        self.sequence = sequence
        self.index = index
        self.hasEnded = hasEnded
    }

    /// The effect has ended, after it had dispatched its last action. Only the first call counts. Any thread.
    ///
    /// - Parameter wasImmediate: Whether it has done everything on the thread that began it.
    package func end(wasCancelled: Bool, wasImmediate: Bool) {
        // Relaxed: the order among the calls does not matter.
        guard !isTold.exchange(true, ordering: .relaxed), !hasEnded else { return }
        receipts.ended(self, wasCancelled: wasCancelled, wasImmediate: wasImmediate)
    }
}

/// Keeps account of the effects that are under way, for a journal.
package protocol EffectReceipts: AnyObject, Sendable {
    /// An effect has ended. Any thread.
    func ended(_ receipt: EffectReceipt, wasCancelled: Bool, wasImmediate: Bool)
}
