// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// One run of an effect: whoever may revoke it shares this object with the actions that it dispatches.
///
/// ```swift
/// let run = EffectRun()
/// let output = AnyActionHandler(sink: store, run: run)
/// run.revoke()        // what was dispatched through `output`, and is not yet handled, will not be
/// ```
///
/// Any thread may call anything; nothing blocks. Revoking is for good.
public final class EffectRun: Sendable {
    @usableFromInline let revoked = Atomic<Bool>(false)

    /// A run that is not revoked.
    public init() {}

    /// Whether ``revoke()`` was called. One load.
    @inlinable
    public var isRevoked: Bool {
        // Acquiring, pairs with revoke(): who sees true also sees what the revoker did before.
        revoked.load(ordering: .acquiring)
    }

    /// Revokes the run: its actions which are still waiting are dropped by the store and counted as cancelled.
    @inlinable
    public func revoke() {
        // Releasing, pairs with isRevoked.
        revoked.store(true, ordering: .releasing)
    }
}
