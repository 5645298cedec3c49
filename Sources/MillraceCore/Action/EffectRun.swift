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
/// Who starts an effect for an action whose output belongs to a run already makes the effect's run inside of that, so
/// that to revoke either revokes its actions: `EffectRun(inside: output.run)`.
///
/// Any thread may call anything; nothing blocks. Revoking is for good. Subclass it to have what a run needs besides in
/// the same object.
open class EffectRun: @unchecked Sendable {
    // Unchecked because an open class cannot be proved Sendable; a subclass answers for its own properties.
    @usableFromInline final let revoked = Atomic<Bool>(false)
    /// Whether a bounded store takes its actions in any case, as it takes control actions. Constant once it is made.
    @usableFromInline package private(set) final var isExempt = false
    /// The run that this one is a part of.
    @usableFromInline package final let enclosing: EffectRun?

    /// A run that is not revoked.
    ///
    /// - Parameter enclosing: Revoking it revokes this one, too, and not the other way round.
    public init(inside enclosing: EffectRun? = nil) {
        self.enclosing = enclosing
    }

    package convenience init(inside enclosing: EffectRun?, isExempt: Bool) {
        self.init(inside: enclosing)
        self.isExempt = isExempt
    }

    /// Whether ``revoke()`` was called, of this run or of one that encloses it. A load for each.
    @inlinable
    public final var isRevoked: Bool {
        // Acquiring, pairs with revoke(): who sees true also sees what the revoker did before.
        revoked.load(ordering: .acquiring) || isRevokedFromOutside
    }

    @inlinable
    final var isRevokedFromOutside: Bool {
        var outer = enclosing
        while let run = outer {
            if run.revoked.load(ordering: .acquiring) { return true }
            outer = run.enclosing
        }
        return false
    }

    /// Revokes the run: its actions which are still waiting are dropped by the store and counted as cancelled.
    @inlinable
    public final func revoke() {
        // Releasing, pairs with isRevoked.
        revoked.store(true, ordering: .releasing)
    }
}
