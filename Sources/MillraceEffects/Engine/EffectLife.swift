// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

/// One effect under way: whether it is, and what is to happen when it ends.
///
/// It ends once, by completing or by being cancelled, whichever comes first, on any thread.
final class EffectLife: Sendable {
    private enum Phase {
        static let active: UInt8 = 0
        static let completed: UInt8 = 1
        static let cancelled: UInt8 = 2
    }

    /// What its actions carry, so that a store drops those that wait when it is cancelled.
    let run: EffectRun
    let token: EffectToken?
    /// The effect of which it is a part.
    let parent: EffectLife?
    /// Changes only while the lock of `ends` is held.
    private let phase = Atomic<UInt8>(Phase.active)
    /// Nil once it has ended: a sink that somebody keeps holds nothing of it any more.
    private let ends: Locked<Ends?>

    /// What is to happen at the end.
    private struct Ends {
        var handlers: [@Sendable () -> Void] = []
        let ended: @Sendable (EffectLife) -> Void
    }

    /// - Parameter ended: Called once, when it has ended and its cancel handlers have run.
    init(
        run: EffectRun,
        token: EffectToken?,
        parent: EffectLife?,
        ended: @escaping @Sendable (EffectLife) -> Void
    ) {
        self.run = run
        self.token = token
        self.parent = parent
        ends = Locked(Ends(ended: ended))
    }

    func isPart(of whole: EffectLife) -> Bool {
        guard let parent else { return false }
        return parent === whole || parent.isPart(of: whole)
    }

    /// Acquiring, pairs with the releasing stores of `end`: who sees the end also sees what came before it.
    var isActive: Bool { phase.load(ordering: .acquiring) == Phase.active }

    var isCancelled: Bool { phase.load(ordering: .acquiring) == Phase.cancelled }

    /// Ends it, unless it has ended.
    func complete() {
        end(Phase.completed)?.ended(self)
    }

    /// Ends it, unless it has ended; its actions that wait are revoked in any case.
    func cancel() {
        run.revoke()
        guard let ends = end(Phase.cancelled) else { return }
        for handler in ends.handlers { handler() }
        ends.ended(self)
    }

    /// Calls `handler` when it is cancelled, at once if it was; never if it completed.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let phase = ends.withLock { ends in
            ends?.handlers.append(handler)
            return self.phase.load(ordering: .relaxed)  // the lock orders it
        }
        if phase == Phase.cancelled { handler() }
    }

    /// What is to happen now, or to be let go, without the lock; nil if it had ended.
    private func end(_ last: UInt8) -> Ends? {
        ends.withLock { ends in
            guard phase.load(ordering: .relaxed) == Phase.active else { return nil }
            phase.store(last, ordering: .releasing)  // pairs with isActive and isCancelled
            return ends.take()
        }
    }
}
