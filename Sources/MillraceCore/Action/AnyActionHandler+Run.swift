// SPDX-License-Identifier: Apache-2.0

extension AnyActionHandler {
    /// The same output, whose actions belong to a run of an effect: once that is revoked, those still waiting are
    /// dropped.
    ///
    /// The cause stays.
    @inlinable
    public func belonging(to run: EffectRun?) -> AnyActionHandler {
        AnyActionHandler(sink: sink, cause: cause, run: run)
    }
}
