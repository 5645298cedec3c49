// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// An actor that holds the state. One task awaits the actor for each action.
@MainActor
enum ActorRival {
    private actor StateActor {
        private var state = AppState()
        private let reduce = AppState.reducer.reduce

        func dispatch(_ action: AppAction) { reduce(action, &state) }
        func current() -> AppState { state }
    }

    static func contender() -> Contender {
        let name = "actor, awaited"
        let actor = StateActor()
        return Contender(name, share: 0.1) { operations in
            let before = await actor.current()
            let elapsed = await Task.detached {
                let began = bench_now()
                for index in 0..<operations { await actor.dispatch(AppAction.nth(index)) }
                return bench_now() - began
            }.value
            try StateChange(from: before, to: await actor.current()).check(StateChange(actions: operations), of: name)
            return elapsed
        }
    }
}
