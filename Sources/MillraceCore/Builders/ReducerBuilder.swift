// SPDX-License-Identifier: Apache-2.0

/// Puts reducers that are written one below the other into one, in that order.
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
/// The conditions are looked at once, when the reducer is made.
@resultBuilder
public enum ReducerBuilder<ActionType, StateType> {
    /// A reducer.
    @inlinable
    public static func buildExpression(
        _ reducer: Reducer<ActionType, StateType>
    ) -> Reducer<ActionType, StateType> {
        reducer
    }

    /// All in order.
    @inlinable
    public static func buildBlock(_ reducers: Reducer<ActionType, StateType>...) -> Reducer<ActionType, StateType> {
        buildArray(reducers)
    }

    /// An `if` without an `else`.
    @inlinable
    public static func buildOptional(_ reducer: Reducer<ActionType, StateType>?) -> Reducer<ActionType, StateType> {
        reducer ?? .identity
    }

    /// An `if` whose condition holds.
    @inlinable
    public static func buildEither(first: Reducer<ActionType, StateType>) -> Reducer<ActionType, StateType> {
        first
    }

    /// An `if` whose condition does not hold.
    @inlinable
    public static func buildEither(second: Reducer<ActionType, StateType>) -> Reducer<ActionType, StateType> {
        second
    }

    /// A `for`.
    @inlinable
    public static func buildArray(_ reducers: [Reducer<ActionType, StateType>]) -> Reducer<ActionType, StateType> {
        reducers.reduce(.identity, <>)
    }

    /// An `if #available`.
    @inlinable
    public static func buildLimitedAvailability(
        _ reducer: Reducer<ActionType, StateType>
    ) -> Reducer<ActionType, StateType> {
        reducer
    }
}

extension Reducer {
    /// A reducer of others, written one below the other: see ``ReducerBuilder``.
    @inlinable
    public init(@ReducerBuilder<ActionType, StateType> _ content: () -> Reducer) {
        self = content()
    }
}
