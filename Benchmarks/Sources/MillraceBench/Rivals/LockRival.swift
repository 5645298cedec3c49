// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// The simplest store: a lock guards the state, and each producer reduces its own actions. It has no middlewares and no
/// order that others can see, and producers wait for each other.
@MainActor
enum LockRival {
    /// Returns a contender with `Synchronization.Mutex`. If more threads than processors compete for the mutex, the
    /// contender may take thousands of times as long, because the kernel hands the mutex over.
    static func mutex(crew: Crew) -> Contender {
        contender("Mutex around the state", crew, box: MutexState())
    }

    /// Returns a contender with the C library's lock, which the running thread may take again at once.
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
            try StateChange(from: before, to: after).check(StateChange(actions: share, producers: crew.size), of: name)
            return times.wall_nanoseconds
        }
    }
}
