// SPDX-License-Identifier: Apache-2.0

/// The one thing that changes state: a pure function of an action and the state, which it changes in place.
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
/// `a <> b` runs `a`, then `b`, which sees what `a` did. A reducer must not dispatch and must have no other effect.
///
/// **Cost.** One call of a closure for each reducer that is composed; ``identity`` vanishes in a composition.
public struct Reducer<ActionType, StateType>: Monoid, Sendable {
    /// Changes the state as the action asks.
    public let reduce: MutableReduceFunction<ActionType, StateType>
    /// Whether it is ``identity``, which composition leaves out.
    public let isIdentity: Bool

    @inlinable
    init(isIdentity: Bool, reduce: @escaping MutableReduceFunction<ActionType, StateType>) {
        self.reduce = reduce
        self.isIdentity = isIdentity
    }

    /// A reducer of a function that changes the state in place.
    @preconcurrency
    @inlinable
    public static func reduce(_ reduce: @escaping MutableReduceFunction<ActionType, StateType>) -> Reducer {
        Reducer(isIdentity: false, reduce: reduce)
    }

    /// A reducer of a closure that uses conformances of its generic parameters.
    ///
    /// They might be isolated to an actor, so that the compiler lets no `@Sendable` closure use them. Nothing that a
    /// reducer does with its own state can be isolated.
    @inlinable
    static func unchecked(_ reduce: @escaping (ActionType, inout StateType) -> Void) -> Reducer {
        // Unsafe because of the conformances alone: what else it captures is Sendable.
        nonisolated(unsafe) let reduce = reduce
        return .reduce { reduce($0, &$1) }
    }

    /// Leaves the state as it is.
    @inlinable
    public static var identity: Reducer {
        Reducer(isIdentity: true) { _, _ in }
    }

    /// Runs `lhs`, then `rhs`. When one of them is ``identity`` it is the other, at no cost.
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
