// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Lets one thread sleep until another one has changed something.
///
/// **Invariant.** The sleeper sets `isAsleep`, then looks once more; the waker changes what the sleeper looks at, then loads
/// `isAsleep`. All four are sequentially consistent, so at least one of the two sees the other's change: no wake-up is lost.
final class Parking: @unchecked Sendable {
    // Unchecked because the mutex and the condition are made to be shared.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let isAsleep = Atomic<Bool>(false)

    init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Sleeps until `isReady` is true or the time is over. One thread at a time. `isReady` must load sequentially
    /// consistently what the waker stores.
    func sleep(atMost limit: Duration? = nil, until isReady: () -> Bool) {
        let end = limit.map {
            Self.now
                + Int64(
                    clamping: Int128($0.components.seconds) * 1_000_000_000
                        + Int128($0.components.attoseconds / 1_000_000_000)
                )
        }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        defer { isAsleep.store(false, ordering: .relaxed) }
        while !isReady() {
            guard let end else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
            if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return }
        }
    }

    /// Wakes the sleeper, if it sleeps. Call it after the change, which must be stored sequentially consistently. Any
    /// thread.
    func wake() {
        guard isAsleep.load(ordering: .sequentiallyConsistent) else { return }
        // Under the lock, so that the sleeper has not looked yet, or waits already.
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
