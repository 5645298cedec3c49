// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The lock of a native subject. A thread that takes it twice is stopped, instead of waiting for itself for ever.
///
/// Not `Synchronization.Mutex`, which ThreadSanitizer does not see.
@usableFromInline
final class SubjectLock: @unchecked Sendable {
    // Unchecked because the mutex is made to be shared, and its address is constant.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    @usableFromInline
    init() {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @usableFromInline
    func lock() {
        precondition(
            pthread_mutex_lock(mutex) == 0,
            "a native subject was used inside its own `mutate`, or by a reducer: use the inout parameter"
        )
    }

    @usableFromInline
    func unlock() {
        pthread_mutex_unlock(mutex)
    }
}
