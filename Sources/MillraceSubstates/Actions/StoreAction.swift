// SPDX-License-Identifier: Apache-2.0

/// The actions that every store of substates handles itself: registering substates, and removing them all.
///
/// ```swift
/// store.dispatch(.add(states: [Tasks(), Filter.all]))
/// ```
public enum StoreAction: ActionType {
    /// Registers substates after those that are registered. If a type is registered already, both substates are kept,
    /// and look-ups by type return the first one.
    case add(states: [any SubstateType])
    /// Removes all substates. They must be registered again before they are used.
    case reset

    /// Registers substates. This is its name in RxState 0.6.
    public static func add(subStates: [any SubstateType]) -> StoreAction { .add(states: subStates) }

    /// Changes a state as the store does for this action.
    func reduce(_ state: inout StoreState) {
        switch self {
        case .add(let states): state.append(contentsOf: states)
        case .reset: state.removeAll()
        }
    }
}
