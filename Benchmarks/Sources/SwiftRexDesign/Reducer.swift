// SPDX-License-Identifier: Apache-2.0

/// A closure that changes the state.
public struct Reducer<Action, State> {
    let reduce: (Action, inout State) -> Void

    public init(_ reduce: @escaping (Action, inout State) -> Void) {
        self.reduce = reduce
    }

    public func composed(with next: Reducer) -> Reducer {
        Reducer { action, state in
            reduce(action, &state)
            next.reduce(action, &state)
        }
    }

    /// Goes along both key paths at every action.
    public func lift<GlobalAction, GlobalState>(
        action: KeyPath<GlobalAction, Action?>,
        state: WritableKeyPath<GlobalState, State>
    ) -> Reducer<GlobalAction, GlobalState> {
        Reducer<GlobalAction, GlobalState> { globalAction, globalState in
            guard let localAction = globalAction[keyPath: action] else { return }
            reduce(localAction, &globalState[keyPath: state])
        }
    }
}
