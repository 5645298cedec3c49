// SPDX-License-Identifier: Apache-2.0

extension AnyActionHandler {
    /// The same output, whose actions belong to a run of an effect: once that is revoked, those still waiting are
    /// dropped.
    ///
    /// The cause stays. The run that it had is replaced: make the new one ``EffectRun/init(inside:)`` that one.
    @inlinable
    public func belonging(to run: EffectRun?) -> AnyActionHandler {
        AnyActionHandler(sink: sink, cause: cause, run: run)
    }
}
