// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// The plainest store: a lock around the state, and whoever has an action reduces it. No middlewares, no order that others
/// can see, and a producer waits for every other.
@MainActor
enum LockRival {
    /// `Synchronization.Mutex`. Contended by more threads than there are processors it may take thousands of times as long:
    /// it hands itself over through the kernel.
    static func mutex(crew: Crew) -> Contender {
        contender("Mutex around the state", crew, box: MutexState())
    }

    /// The C library's lock, which lets the running thread take it again.
    static func pthread(crew: Crew) -> Contender {
        contender("pthread_mutex around the state", crew, box: PthreadLocked(AppState()))
    }

    private static func contender(_ name: String, _ crew: Crew, box: some Locked<AppState>) -> Contender {
        Contender(name, share: crew.size == 1 ? 1 : crew.size == 2 ? 0.2 : 0.02) { operations in
            let share = operations / crew.size
            let before = box.withLock { $0 }
            let times = crew.run { _ in
                let reduce = AppState.reducer.reduce
                for index in 0..<share {
                    let action = AppAction.nth(index)
                    box.withLock { reduce(action, &$0) }
                }
            }
            let after = box.withLock { $0 }
            try Effect(from: before, to: after).check(Effect(actions: share, producers: crew.size), of: name)
            return times.wall_nanoseconds
        }
    }
}
