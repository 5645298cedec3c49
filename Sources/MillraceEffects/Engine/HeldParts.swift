// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The beginnings of the parts of an effect, in a store with a journal, until the action of the effect is durable.
///
/// An effect that only starts others (`merge`, `concat`) starts them at once, so that their tokens replace and cancel
/// at once. What has to wait for the journal are the bodies of the parts.
final class HeldParts: Sendable {
    private enum Phase {
        case waiting([@Sendable () -> Void])
        /// The action is durable: parts begin when they are started.
        case released
        /// The action will never be durable: no part begins.
        case dropped
    }

    private let phase = Locked(Phase.waiting([]))

    /// Keeps a beginning until the action is durable. Returns false if the part may begin now. Any thread.
    func hold(_ begin: @escaping @Sendable () -> Void) -> Bool {
        phase.withLock { phase in
            switch phase {
            case .waiting(var begins):
                phase = .waiting([])
                begins.append(begin)
                phase = .waiting(begins)
                return true
            case .released: return false
            case .dropped: return true
            }
        }
    }

    /// Begins the parts, in their order. On the pipeline's thread.
    func release() {
        for begin in change(to: .released) { begin() }
    }

    /// Releases the parts without beginning them, unless they have begun.
    func drop() {
        // After the lock, because they may own objects whose `deinit` runs any code.
        withExtendedLifetime(change(to: .dropped)) {}
    }

    private func change(to new: Phase) -> [@Sendable () -> Void] {
        phase.withLock { phase in
            guard case .waiting(let begins) = phase else { return [] }
            phase = new
            return begins
        }
    }
}

/// What the journal keeps of such an effect. If the journal drops it, so are the parts.
final class HeldPartsRelease: Sendable {
    private let parts: HeldParts

    init(_ parts: HeldParts) {
        self.parts = parts
    }

    deinit { parts.drop() }

    func callAsFunction() { parts.release() }
}
