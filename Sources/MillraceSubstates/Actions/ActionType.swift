// SPDX-License-Identifier: Apache-2.0

/// An action of a store of substates. The store finds its reducer by the type of the action.
///
/// ```swift
/// enum TasksAction: ActionType, Equatable {
///     case add(String)
/// }
/// ```
///
/// **Cost.** The store handles actions as `any ActionType`. Swift keeps a value of up to three words (24 bytes) inside
/// of the existential; a larger one costs an allocation when it is dispatched. Copies of the action share it.
public protocol ActionType: Sendable {}

/// An action of any type, as the store handles it.
public typealias AnyActionType = any ActionType
