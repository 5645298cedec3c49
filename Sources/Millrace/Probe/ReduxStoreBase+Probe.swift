// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import MillraceRuntime

extension ReduxStoreBase {
    /// Sets a probe and turns the measuring loop on; nil turns it off. Takes effect at its place in the order of
    /// actions.
    ///
    /// While a probe is set, each dispatch of an action that will be measured also reads the clock.
    public final func setProbe(_ probe: (any PipelineProbe)?) {
        if let probe {
            core.setProbe(probe, oneIn: probe.samplingInterval) { _ in true }
        } else {
            core.removeProbe(nil) { _ in true }
        }
    }

    /// Dispatches an action that was intended for an earlier time. A probe measures its waiting time from there.
    /// Examples are the tick of a load generator with a fixed rate, and the arrival of a packet.
    ///
    /// A delay of the caller is measured, too, so no stall is hidden behind the actions that it delayed. An action that
    /// comes before its time counts as one that waited for a nanosecond.
    ///
    /// ```swift
    /// for tick in schedule {
    ///     store.dispatch(DispatchedAction(.tick), intendedAt: tick)
    /// }
    /// ```
    ///
    /// Without a probe it does the same as ``dispatch(_:)``.
    @inlinable
    public final func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>, intendedAt time: Ticks) {
        core.take(dispatchedAction, intended: time.rawValue)
    }

    /// The core, for the code that measures this store.
    package final var probed: any ProbedStore { core }
}
