// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import MillraceRuntime

extension ReduxStoreBase {
    /// Turns the measuring loop on, or off again with nil. Takes effect at its place in the order of actions.
    ///
    /// While it is on, each dispatch of an action that will be measured also reads the clock.
    public final func setProbe(_ probe: (any PipelineProbe)?) {
        if let probe {
            core.setProbe(probe, oneIn: probe.samplingInterval) { _ in true }
        } else {
            core.removeProbe(nil) { _ in true }
        }
    }

    /// Dispatches an action that was meant for an earlier time, from which a probe is to measure: that of the tick it
    /// belongs to where load is generated at a rate, or that of a packet's arrival. What kept the caller is measured
    /// with the rest, so that no stall hides behind the actions that it held up. An action that comes before its time
    /// counts as one that waited for a nanosecond.
    ///
    /// ```swift
    /// for tick in schedule {
    ///     store.dispatch(DispatchedAction(.tick), intendedAt: tick)
    /// }
    /// ```
    ///
    /// Without a probe it is ``dispatch(_:)``.
    @inlinable
    public final func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>, intendedAt time: Ticks) {
        core.take(dispatchedAction, intended: time.rawValue)
    }

    /// What measures this store.
    package final var probed: any ProbedStore { core }
}
