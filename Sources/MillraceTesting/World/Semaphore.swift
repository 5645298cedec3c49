// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Dispatch
#endif

/// Hands the token of a world from one thread to another.
final class Semaphore: @unchecked Sendable {
    // Unchecked because a semaphore may be used by several threads, and its address is constant.
    #if canImport(Dispatch) && canImport(Darwin)
        private let semaphore = DispatchSemaphore(value: 0)

        func signal() { semaphore.signal() }
        func wait() { semaphore.wait() }
    #else
        // Not DispatchSemaphore, which ThreadSanitizer does not see.
        private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

        init() {
            semaphore.initialize(to: sem_t())
            sem_init(semaphore, 0, 0)
        }

        deinit {
            sem_destroy(semaphore)
            semaphore.deallocate()
        }

        func signal() { sem_post(semaphore) }

        func wait() {
            while sem_wait(semaphore) != 0 {}
        }
    #endif
}
