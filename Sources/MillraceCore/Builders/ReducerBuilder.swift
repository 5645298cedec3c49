// SPDX-License-Identifier: Apache-2.0

/// Composes reducers that are written one below the other into one, in that order.
///
/// ```swift
/// let reducer = Reducer<AppAction, AppState> {
///     authReducer.lift(action: \.auth, state: \.auth)
///     if keepsHistory {
///         historyReducer.lift(action: \.list, state: \.list)
///     }
/// }
/// ```
///
/// Conditions are evaluated once, when the reducer is created.
@resultBuilder
public enum ReducerBuilder<ActionType, StateType> {
    /// Accepts a reducer.
    @inlinable
    public static func buildExpression(
        _ reducer: Reducer<ActionType, StateType>
    ) -> Reducer<ActionType, StateType> {
        reducer
    }

    /// Composes the reducers in order.
    @inlinable
    public static func buildBlock(_ reducers: Reducer<ActionType, StateType>...) -> Reducer<ActionType, StateType> {
        buildArray(reducers)
    }

    /// Supports an `if` without an `else`.
    @inlinable
    public static func buildOptional(_ reducer: Reducer<ActionType, StateType>?) -> Reducer<ActionType, StateType> {
        reducer ?? .identity
    }

    /// Supports the `if` branch of a condition.
    @inlinable
    public static func buildEither(first: Reducer<ActionType, StateType>) -> Reducer<ActionType, StateType> {
        first
    }

    /// Supports the `else` branch of a condition.
    @inlinable
    public static func buildEither(second: Reducer<ActionType, StateType>) -> Reducer<ActionType, StateType> {
        second
    }

    /// Supports a `for` loop.
    @inlinable
    public static func buildArray(_ reducers: [Reducer<ActionType, StateType>]) -> Reducer<ActionType, StateType> {
        reducers.reduce(.identity, <>)
    }

    /// Supports an `if #available`.
    @inlinable
    public static func buildLimitedAvailability(
        _ reducer: Reducer<ActionType, StateType>
    ) -> Reducer<ActionType, StateType> {
        reducer
    }
}

extension Reducer {
    /// Creates a reducer from reducers that are written one below the other: see ``ReducerBuilder``.
    @inlinable
    public init(@ReducerBuilder<ActionType, StateType> _ content: () -> Reducer) {
        self = content()
    }
}
