// SPDX-License-Identifier: Apache-2.0

/// A closure that changes the state.
package struct Reducer<Action, State> {
    let reduce: (Action, inout State) -> Void

    package init(_ reduce: @escaping (Action, inout State) -> Void) {
        self.reduce = reduce
    }

    package func composed(with next: Reducer) -> Reducer {
        Reducer { action, state in
            reduce(action, &state)
            next.reduce(action, &state)
        }
    }

    /// Returns a reducer of a larger action and state. It uses both key paths at every action.
    package func lift<GlobalAction, GlobalState>(
        action: KeyPath<GlobalAction, Action?>,
        state: WritableKeyPath<GlobalState, State>
    ) -> Reducer<GlobalAction, GlobalState> {
        Reducer<GlobalAction, GlobalState> { globalAction, globalState in
            guard let localAction = globalAction[keyPath: action] else { return }
            reduce(localAction, &globalState[keyPath: state])
        }
    }
}
