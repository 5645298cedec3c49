// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// An actor that holds the state. A task for each producer awaits the actor for each action.
@MainActor
enum ActorRival {
    private actor StateActor {
        private var state = AppState()
        private let reduce = AppState.reducer.reduce

        func dispatch(_ action: AppAction) { reduce(action, &state) }
        func current() -> AppState { state }
    }

    static func contender(producers: Int = 1) -> Contender {
        let name = "actor, awaited"
        let actor = StateActor()
        return Contender(name, share: producers == 1 ? 0.1 : 0.02) { operations in
            let share = operations / producers
            let before = await actor.current()
            let began = bench_now()
            let senders = (0..<producers).map { _ in
                Task.detached {
                    for index in 0..<share { await actor.dispatch(AppAction.nth(index)) }
                    return bench_now()
                }
            }
            var ended = began
            for sender in senders { ended = max(ended, await sender.value) }
            try StateChange(from: before, to: await actor.current()).check(
                StateChange(actions: share, producers: producers),
                of: name
            )
            return ended - began
        }
    }
}
