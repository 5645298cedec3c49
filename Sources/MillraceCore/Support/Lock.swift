// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A lock for code that is not on the path of an action. A thread that locks it twice stops the program, instead of
/// waiting for itself for ever.
///
/// Not `Synchronization.Mutex`: it is slow with more threads than processors, and ThreadSanitizer does not see it.
@usableFromInline
package final class Lock: @unchecked Sendable {
    // Unchecked because a mutex is made for sharing, and its address is constant.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    @usableFromInline
    package init() {
        mutex.initialize(to: pthread_mutex_t())
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// - Parameter mistake: The error message if this thread holds the lock already.
    @usableFromInline
    package func lock(_ mistake: @autoclosure () -> String = "a thread locked a lock that it already holds") {
        precondition(pthread_mutex_lock(mutex) == 0, mistake())
        #if MILLRACE_SIMULATED
            HeldLocks.add(1)
        #endif
    }

    @usableFromInline
    package func unlock() {
        #if MILLRACE_SIMULATED
            HeldLocks.add(-1)
        #endif
        pthread_mutex_unlock(mutex)
    }
}

#if MILLRACE_SIMULATED
    /// Counts the locks that a thread holds. A thread of a simulated world is not stopped while it holds one: the
    /// thread that runs the world could need that lock, and would wait for ever.
    package enum HeldLocks {
        private static let key: pthread_key_t = {
            var key = pthread_key_t()
            pthread_key_create(&key, nil)
            return key
        }()

        /// The locks that the calling thread holds.
        package static var count: Int { Int(bitPattern: pthread_getspecific(key)) }

        fileprivate static func add(_ difference: Int) {
            pthread_setspecific(key, UnsafeRawPointer(bitPattern: count + difference))
        }
    }
#endif
