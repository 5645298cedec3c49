// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A state behind a lock.
protocol LockedState: Sendable {
    func withLock<Result: Sendable>(_ body: (inout AppState) -> Result) -> Result
}

/// Behind a Mutex, which holds the state in itself.
final class MutexState: LockedState {
    private let state = Mutex(AppState())
    // Keeps the next object off this one's cache lines.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)

    @inline(__always)
    func withLock<Result: Sendable>(_ body: (inout AppState) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}

/// Behind a lock of the C library.
final class PthreadState: LockedState, @unchecked Sendable {
    // Unchecked because the lock guards the state; both live in memory of their own, at fixed addresses.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let state = UnsafeMutablePointer<AppState>.allocate(capacity: 1)

    init() {
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
        state.initialize(to: AppState())
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    @inline(__always)
    func withLock<Result: Sendable>(_ body: (inout AppState) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body(&state.pointee)
    }
}
