// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// Checks rules about the state of a reducer, with lists of random actions.
///
/// ```swift
/// @Test func balance() throws {
///     try checkProperty(
///         .always("the balance is never negative") { $0.balance >= 0 },
///         actions: bankActions, initialState: Bank(), reducer: bankReducer
///     )
/// }
/// ```
///
/// If a list breaks a rule, the function removes actions from it, and replaces actions by simpler ones, as long as the
/// list still breaks the same rule. With the environment variable `MILLRACE_SEED` only that seed is run.
///
/// **Threads.** Everything runs on the calling thread, without a store. **Cost.** Each action costs a copy of the
/// state, and a call of each rule.
///
/// - Parameters:
///   - properties: The rules.
///   - seeds: The seeds of the lists.
///   - length: The most actions of a list.
///   - actions: The generator of the actions.
///   - initialState: The state before the first action.
///   - reducer: The reducer.
///   - function: The name of the test, for the command.
/// - Throws: ``PropertyFailure`` for the first list that breaks a rule, or if there is nothing to run.
/// - Returns: How many lists were run.
@discardableResult
public func checkProperty<Action: Sendable, State>(
    _ properties: StateProperty<Action, State>...,
    seeds: Range<UInt64> = 0..<1_000,
    length: Int = 50,
    actions: ActionGenerator<Action>,
    initialState: State,
    reducer: Reducer<Action, State>,
    function: String = #function
) throws(PropertyFailure<Action>) -> PropertyReport {
    let watch = PropertyWatch(properties: properties)
    let run = PropertyRun<Action, State>(actions: actions, function: function) { list, _ in
        var state = initialState
        var broken = watch.atFirst(state)
        for action in list {
            if broken != nil { break }
            let before = state
            reducer.reduce(action, &state)
            broken = watch.after(action, before, state)
        }
        return broken.map { .init(property: $0.0, detail: $0.1) }
    }
    return try run.check(seeds: seeds, length: length)
}
