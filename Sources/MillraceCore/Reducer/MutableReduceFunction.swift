// SPDX-License-Identifier: Apache-2.0

/// Changes the state in place, as an action asks.
public typealias MutableReduceFunction<ActionType, StateType> = @Sendable (ActionType, inout StateType) -> Void
