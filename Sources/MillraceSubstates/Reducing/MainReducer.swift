// SPDX-License-Identifier: Apache-2.0

/// A reducer of the whole state, as in RxState. It gets every action that has no route, and returns the next state.
///
/// ```swift
/// let mainReducer: MainReducer = { state, action in
///     switch action {
///     case let action as TasksAction:
///         var state = state
///         try state.update(Tasks.self) { tasks in tasks.reduce(action) }
///         return state
///     default: throw SubstateError.unknown(action)
///     }
/// }
/// ```
///
/// If it throws, the state stays as it was, and the store reports the error. ``StoreAction``s never reach it.
///
/// **Cost.** The store keeps the state that the reducer gets, in case the reducer throws. So each change of a substate
/// copies the substate and four small nodes. A ``RoutingReducer`` changes it in place.
public typealias MainReducer = @Sendable (_ state: StoreState, _ action: AnyActionType) throws -> StoreState
