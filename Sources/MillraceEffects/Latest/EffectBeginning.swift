// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Whether an effect was over when its start returned: it has ended on the thread that has started it.
///
/// `isActive` does not tell this: another thread may complete the effect before its start returns, however early that
/// is.
final class EffectBeginning: @unchecked Sendable {
    // Unchecked because only the thread with this number touches `isOver`.
    private let thread = CurrentThread.number
    private(set) var isOver = false

    /// Tells this object of the end of the effect.
    var ended: @Sendable (_ wasCancelled: Bool) -> Void { { _ in self.effectEnded() } }

    /// Called by the thread that has ended the effect.
    func effectEnded() {
        if CurrentThread.number == thread { isOver = true }
    }
}
