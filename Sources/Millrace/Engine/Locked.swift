// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A value behind a lock, for what is not on the path of an action.
///
/// Not `Synchronization.Mutex`: that is slow under more threads than processors, and ThreadSanitizer does not see it. No
/// foreign code may run inside: no destructor of a state, no continuation.
package final class Locked<Value>: @unchecked Sendable {
    // Unchecked because the value is touched only while the lock is held.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
