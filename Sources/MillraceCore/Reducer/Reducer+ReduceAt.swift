// SPDX-License-Identifier: Apache-2.0

extension Reducer {
    /// Makes a reducer from a function that is also given the time of the action.
    ///
    /// ```swift
    /// let sessions = Reducer<AppAction, AppState>.reduceAt { action, time, state in
    ///     if case .heartbeat(let user) = action { state.lastSeen[user] = time }
    /// }
    /// ```
    ///
    /// In a store the time is taken once for each action, when the first of these reducers asks for it: all of them get
    /// the same one, in compositions and lifts, too. A middleware that runs the reducer on a copy of the state, in
    /// `handle`, `afterReduce` or an IO, also gets the time of its action. Use `reduceAt` instead of reading a clock in
    /// the reducer: the result of the reducer then depends on its parameters alone, so that a replay, which supplies
    /// the recorded times, gives the same state. Outside of a store, for instance in a test that calls ``reduce``, each
    /// call gets the time now.
    ///
    /// **Cost.** One clock call for each action that reaches such a reducer, about 25 ns; nothing for other actions.
    @preconcurrency
    public static func reduceAt(
        _ reduce: @escaping @Sendable (ActionType, ActionTime, inout StateType) -> Void
    ) -> Reducer {
        .reduce { action, state in reduce(action, TakeUpTime.current, &state) }
    }
}
