// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension Reducer {
    /// Runs the reducer on an action that was taken up at a known time: reducers made by `reduceAt` get that time.
    ///
    /// Use it for replays, and for recordings without a store. A store takes the time itself.
    public func apply(_ action: ActionType, at time: ActionTime, to state: inout StateType) {
        TakeUpTime.with(time) { reduce(action, &state) }
    }
}
