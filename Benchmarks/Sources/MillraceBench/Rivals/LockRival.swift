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

    /// Returns the same contender with reducers that are no closures: one function that the compiler inlines under the
    /// lock.
    static func mutexInline(crew: Crew) -> Contender {
        let name = "Mutex around the state, reducers written as one switch"
        let box = MutexState()
        return Contender(name, share: share(crew)) { operations in
            let share = operations / crew.size
            let before = box.withLock { $0 }
            let times = crew.run { _ in apply(share, box) }
            let after = box.withLock { $0 }
            try StateChange(from: before, to: after).check(StateChange(actions: share, producers: crew.size), of: name)
            return times.wall_nanoseconds
        }
    }

    /// Returns a contender with the C library's lock, which the running thread may take again at once.
    static func pthread(crew: Crew) -> Contender {
        contender("pthread_mutex around the state", crew, box: PthreadLocked(AppState()))
    }

    /// Returns a contender with the C library's lock of the kind that spins before it sleeps.
    static func adaptive(crew: Crew) -> Contender {
        contender("adaptive pthread_mutex around the state", crew, box: PthreadLocked(AppState(), .adaptive))
    }

    /// Returns a contender that only locks and unlocks a lock of the kind that a subject has, once an action.
    static func subjectLock(crew: Crew) -> Contender {
        let box = PthreadLocked(0, .checking)
        return Contender("the lock of a subject, and nothing else") { operations in
            let before = box.withLock { $0 }
            let times = crew.run { _ in
                for _ in 0..<operations { box.withLock { $0 += 1 } }
            }
            let made = box.withLock { $0 } - before
            guard made == operations else {
                throw BenchmarkError.wrongResult(contender: "lock", expected: "\(operations)", found: "\(made)")
            }
            return times.wall_nanoseconds
        }
    }

    /// Returns a contender with a lock like `os_unfair_lock`.
    static func futex(crew: Crew) -> Contender {
        contender("futex lock around the state", crew, box: FutexLocked(AppState()))
    }

    private static func contender(_ name: String, _ crew: Crew, box: some Locked<AppState>) -> Contender {
        Contender(name, share: share(crew)) { operations in
            let share = operations / crew.size
            let before = box.withLock { $0 }
            let times = crew.run { _ in reduce(share, box) }
            let after = box.withLock { $0 }
            try StateChange(from: before, to: after).check(StateChange(actions: share, producers: crew.size), of: name)
            return times.wall_nanoseconds
        }
    }

    /// What a producer of `mutexInline` does. Also a row of `millrace-bench check`.
    nonisolated static func apply(_ actions: Int, _ box: MutexState) {
        for index in 0..<actions {
            let action = AppAction.nth(index)
            box.withLock { $0.apply(action) }
        }
    }

    /// What a producer of the other locks does.
    @inline(__always)
    nonisolated static func reduce(_ actions: Int, _ box: some Locked<AppState>) {
        let reduce = AppState.reducer.reduce
        for index in 0..<actions {
            let action = AppAction.nth(index)
            box.withLock { reduce(action, &$0) }
        }
    }

    /// The part of the operations that a lock does: it is slower with more threads.
    private static func share(_ crew: Crew) -> Double { crew.size == 1 ? 1 : crew.size == 2 ? 0.2 : 0.02 }
}
