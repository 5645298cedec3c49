// SPDX-License-Identifier: Apache-2.0

/// Counts the actions until the next one that is checked for copies of the state: see ``PipelineProbe/copyCheck``.
public final class CopyCheck: @unchecked Sendable {
    // Unchecked because only the pipeline's thread uses the count, once the probe is set.

    /// The number of actions that the probe receives until the next one that is checked, that one included. With 0,
    /// none is checked until this is set again. Only for the pipeline's thread, once the probe is set.
    @exclusivity(unchecked) public var actionsUntilNext: Int

    /// Creates a count.
    public init(actionsUntilNext: Int) {
        self.actionsUntilNext = actionsUntilNext
    }

    /// Counts an action that the probe receives. Returns whether it is checked.
    @inlinable @inline(__always)
    package func isDue() -> Bool {
        actionsUntilNext &-= 1
        return actionsUntilNext == 0
    }
}
