// SPDX-License-Identifier: Apache-2.0

/// The substates and the action that was handled last: what a store of substates publishes.
///
/// Both are published as one value. So the state is always the state after this action, even if an observer dispatches.
public struct StateLastAction: Sendable {
    /// The substates.
    public var currentState: StoreState
    /// The action that was handled last; nil if there was none.
    public var lastAction: AnyActionType?

    /// Creates a pair. A new store has no substates and no last action.
    public init(currentState: StoreState = [], lastAction: AnyActionType? = nil) {
        self.currentState = currentState
        self.lastAction = lastAction
    }
}

extension StateLastAction: Equatable {
    /// Whether the states and the last actions are equal. Two last actions whose type is not Equatable are not equal.
    public static func == (lhs: StateLastAction, rhs: StateLastAction) -> Bool {
        haveEqualStates(lhs, rhs) && areEqual(lhs.lastAction, rhs.lastAction)
    }

    /// Whether the states are equal, whatever the last actions are. For the `stateEquating` of a `TestStore`.
    public static func haveEqualStates(_ first: StateLastAction, _ second: StateLastAction) -> Bool {
        first.currentState == second.currentState
    }

    private static func areEqual(_ first: AnyActionType?, _ second: AnyActionType?) -> Bool {
        switch (first, second) {
        case (nil, nil): true
        case (let first?, let second?): MillraceSubstates.areEqual(first, second)
        default: false
        }
    }
}
