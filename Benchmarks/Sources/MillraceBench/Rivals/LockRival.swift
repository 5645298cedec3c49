// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import Synchronization

/// The plainest store: a lock around the state, and whoever has an action reduces it. No middlewares, no order that others can see,
/// and a producer waits for every other.
@MainActor
enum LockRival {
    private final class LockedState: Sendable {
        let state = Mutex(AppState())
    }

    static func contender(crew: Crew) -> Contender {
        let name = "Mutex around the state"
        let box = LockedState()
        return Contender(name) { operations in
            let share = operations / crew.size
            let before = box.state.withLock { $0 }
            let times = crew.run { _ in
                let reduce = AppState.reducer.reduce
                for index in 0..<share {
                    let action = AppAction.nth(index)
                    box.state.withLock { reduce(action, &$0) }
                }
            }
            let after = box.state.withLock { $0 }
            try Effect(from: before, to: after).check(Effect(actions: share, producers: crew.size), of: name)
            return times.wall_nanoseconds
        }
    }
}
