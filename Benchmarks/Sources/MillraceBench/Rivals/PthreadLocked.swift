// SPDX-License-Identifier: Apache-2.0

import CLockRivals
import Glibc

/// A value that a lock of the C library guards.
final class PthreadLocked<Value>: Locked, @unchecked Sendable {
    // Unchecked because the lock guards the value. Both are in memory of their own, at fixed addresses.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    /// What a lock does besides locking.
    enum Kind {
        case plain
        /// A thread spins a little before it sleeps.
        case adaptive
        /// Finds a thread that locks it twice, as the library's own lock does.
        case checking
    }

    init(_ value: Value, _ kind: Kind = .plain) {
        lock.initialize(to: pthread_mutex_t())
        switch kind {
        case .plain: pthread_mutex_init(lock, nil)
        case .adaptive: adaptive_mutex_initialize(lock)
        case .checking: checking_mutex_initialize(lock)
        }
        self.value.initialize(to: value)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    @inline(__always)
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body(&value.pointee)
    }
}
