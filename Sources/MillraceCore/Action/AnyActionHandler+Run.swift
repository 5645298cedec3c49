// SPDX-License-Identifier: Apache-2.0

extension AnyActionHandler {
    /// Returns the same output with its actions assigned to an effect run. When that run is revoked, those of its
    /// actions that still wait in the queue are cancelled.
    ///
    /// The cause does not change. The new run replaces the run of this output. To stay inside the old run, create the
    /// new run with ``EffectRun/init(inside:)``.
    @inlinable
    public func belonging(to run: EffectRun?) -> AnyActionHandler {
        AnyActionHandler(sink: sink, cause: cause, run: run)
    }
}
