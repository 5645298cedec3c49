// SPDX-License-Identifier: Apache-2.0

/// A pure function of an action and the state, which changes the state in place. Only reducers change the state.
///
/// ```swift
/// let counter = Reducer<CounterAction, Int>.reduce { action, state in
///     switch action {
///     case .increment: state += 1
///     case .decrement: state -= 1
///     }
/// }
/// ```
///
/// `a <> b` runs `a`, then `b`, which sees the changes of `a`. A reducer must not dispatch and must have no other side
/// effect.
///
/// **Cost.** One closure call for each composed reducer; a composition leaves out ``identity``.
public struct Reducer<ActionType, StateType>: Monoid, Sendable {
    /// Changes the state for an action.
    public let reduce: MutableReduceFunction<ActionType, StateType>
    /// Whether this reducer is ``identity``, which a composition leaves out.
    public let isIdentity: Bool

    @inlinable
    init(isIdentity: Bool, reduce: @escaping MutableReduceFunction<ActionType, StateType>) {
        self.reduce = reduce
        self.isIdentity = isIdentity
    }

    /// Creates a reducer from a function that changes the state in place.
    @preconcurrency
    @inlinable
    public static func reduce(_ reduce: @escaping MutableReduceFunction<ActionType, StateType>) -> Reducer {
        Reducer(isIdentity: false, reduce: reduce)
    }

    /// Creates a reducer from a closure that uses conformances of its generic parameters.
    ///
    /// The conformances might be isolated to an actor, so the compiler does not let a `@Sendable` closure use them. A
    /// reducer's use of its own state cannot be isolated.
    @inlinable
    static func unchecked(_ reduce: @escaping (ActionType, inout StateType) -> Void) -> Reducer {
        // Unsafe only because of the conformances: all other captures are Sendable.
        nonisolated(unsafe) let reduce = reduce
        return .reduce { reduce($0, &$1) }
    }

    /// The reducer that leaves the state unchanged.
    @inlinable
    public static var identity: Reducer {
        Reducer(isIdentity: true) { _, _ in }
    }

    /// Returns a reducer that runs `lhs`, then `rhs`. If one of them is ``identity``, returns the other one at no cost.
    @inlinable
    public static func <> (lhs: Reducer, rhs: Reducer) -> Reducer {
        if lhs.isIdentity { return rhs }
        if rhs.isIdentity { return lhs }
        let first = lhs.reduce
        let second = rhs.reduce
        return .reduce { action, state in
            first(action, &state)
            second(action, &state)
        }
    }
}
