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
    private let ended: @Sendable (EffectLife) -> Void
    /// Changes only while the lock of `handlers` is held.
    private let phase = Atomic<UInt8>(Phase.active)
    private let handlers = Locked<[@Sendable () -> Void]>([])

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
        self.ended = ended
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
        guard end(Phase.completed) != nil else { return }
        ended(self)
    }

    /// Ends it, unless it has ended; its actions that wait are revoked in any case.
    func cancel() {
        run.revoke()
        guard let handlers = end(Phase.cancelled) else { return }
        for handler in handlers { handler() }
        ended(self)
    }

    /// Calls `handler` when it is cancelled, at once if it was; never if it completed.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let phase = handlers.withLock { handlers in
            let phase = self.phase.load(ordering: .relaxed)  // the lock orders it
            if phase == Phase.active { handlers.append(handler) }
            return phase
        }
        if phase == Phase.cancelled { handler() }
    }

    /// The handlers that were waiting, to be run or let go without the lock; nil if it had ended.
    private func end(_ last: UInt8) -> [@Sendable () -> Void]? {
        handlers.withLock { handlers in
            guard phase.load(ordering: .relaxed) == Phase.active else { return nil }
            phase.store(last, ordering: .releasing)  // pairs with isActive and isCancelled
            defer { handlers = [] }
            return handlers
        }
    }
}
