// SPDX-License-Identifier: Apache-2.0

/// A function that changes the state in place for an action.
public typealias MutableReduceFunction<ActionType, StateType> = @Sendable (ActionType, inout StateType) -> Void
