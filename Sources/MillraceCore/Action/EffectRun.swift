// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// One run of an effect, shared by the code that may revoke it and the actions that the effect dispatches.
///
/// ```swift
/// let run = EffectRun()
/// let output = AnyActionHandler(sink: store, run: run)
/// run.revoke()        // what was dispatched through `output`, and is not yet handled, will not be
/// ```
///
/// The output of an action may already belong to a run. If you start an effect for such an action, create the effect's
/// run inside that run: `EffectRun(inside: output.run)`. Then revoking either run cancels the effect's actions.
///
/// Any thread may call any member; no call blocks. A revoked run stays revoked. Subclass it to store further data of a
/// run in the same object.
open class EffectRun: @unchecked Sendable {
    // Unchecked because the compiler cannot prove an open class Sendable. A subclass is responsible for its own
    // properties.
    @usableFromInline final let revoked = Atomic<Bool>(false)
    /// Whether a bounded store accepts the run's actions regardless of its capacity, as it accepts control actions.
    /// Constant after initialization.
    @usableFromInline package private(set) final var isBeyondCapacity = false
    /// The run that contains this run.
    @usableFromInline package final let enclosing: EffectRun?

    /// Creates a run that is not revoked.
    ///
    /// - Parameter enclosing: The run that contains the new run. Revoking it also revokes the new run, but not the
    ///   reverse.
    public init(inside enclosing: EffectRun? = nil) {
        self.enclosing = enclosing
    }

    package convenience init(inside enclosing: EffectRun?, isBeyondCapacity: Bool) {
        self.init(inside: enclosing)
        self.isBeyondCapacity = isBeyondCapacity
    }

    /// Whether ``revoke()`` was called on this run or on a run that encloses it. Costs one load per run.
    @inlinable
    public final var isRevoked: Bool {
        // Acquiring, pairs with revoke(): a thread that reads true also sees what the revoking thread did before.
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

    /// Revokes the run: the store removes its waiting actions from the queue and counts them as cancelled.
    @inlinable
    public final func revoke() {
        // Releasing, pairs with isRevoked.
        revoked.store(true, ordering: .releasing)
    }
}
