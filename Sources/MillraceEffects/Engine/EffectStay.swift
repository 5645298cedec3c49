// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether the body of an effect under a limit has yet to return, and whether the effect has ended. It keeps its place until
/// both have happened; the thread that finds the other one done takes it out of its lane.
struct EffectStay: ~Copyable, Sendable {
    private static let isBeginning: UInt8 = 1
    private static let hasEnded: UInt8 = 2

    private let word = Atomic<UInt8>(0)

    /// The effect gets its place. While the lock of the registry is held, as is `end`.
    func begin() {
        // Relaxed: `end` comes after it by the lock, and the body is called later.
        word.bitwiseOr(Self.isBeginning, ordering: .relaxed)
    }

    /// The body has returned. Returns whether the effect has ended, and is still in its lane. Without the lock.
    func bodyReturned() -> Bool {
        // Acquiring and releasing, pairs with `end`: who takes the effect out of its lane, and begins the next one, sees what
        // the body has done.
        word.bitwiseAnd(~Self.isBeginning, ordering: .acquiringAndReleasing).oldValue & Self.hasEnded != 0
    }

    /// The effect has ended. Returns false if its body has yet to return.
    func end() -> Bool {
        // Acquiring and releasing, pairs with `bodyReturned`.
        word.bitwiseOr(Self.hasEnded, ordering: .acquiringAndReleasing).oldValue & Self.isBeginning == 0
    }
}
