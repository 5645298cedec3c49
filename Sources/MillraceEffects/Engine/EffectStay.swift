// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How long an effect under a limit keeps its place: until its body has returned and the effect has ended. Either may
/// come first, on any thread. The thread of the second one takes the effect out of its lane.
struct EffectStay: ~Copyable, Sendable {
    private static let isBeginning: UInt8 = 1
    private static let hasEnded: UInt8 = 2

    private let word = Atomic<UInt8>(0)

    /// Notes that the effect gets its place. Called while the lock of the registry is held.
    func begin() {
        // Relaxed: `end` is called while the same lock is held, and the body is called after this.
        word.bitwiseOr(Self.isBeginning, ordering: .relaxed)
    }

    /// Notes that the body has returned. Returns true if the effect has ended: then the caller takes it out of its
    /// lane. Called without the lock.
    func bodyReturned() -> Bool {
        // Acquiring and releasing, pairs with `end`: the thread that takes the effect out of its lane begins the next
        // effect, and sees what this body has done.
        word.bitwiseAnd(~Self.isBeginning, ordering: .acquiringAndReleasing).oldValue & Self.hasEnded != 0
    }

    /// Notes that the effect has ended. Returns true if its body has returned, or was never to be called: then the
    /// caller takes the effect out of its lane. Called while the lock is held.
    func end() -> Bool {
        // Acquiring and releasing, pairs with `bodyReturned`.
        word.bitwiseOr(Self.hasEnded, ordering: .acquiringAndReleasing).oldValue & Self.isBeginning == 0
    }
}
