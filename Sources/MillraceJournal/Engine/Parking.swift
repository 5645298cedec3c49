// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import Millrace
import MillraceCore
import Synchronization

/// Lets one thread sleep until another one has changed something.
///
/// **Invariant.** The sleeper sets `isAsleep`, then looks once more; the waker changes what the sleeper looks at, then
/// loads `isAsleep`. All four are sequentially consistent, so at least one of the two sees the other's change: no
/// wake-up is lost.
final class Parking: @unchecked Sendable {
    // Unchecked because the mutex and the condition are made to be shared.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let isAsleep = Atomic<Bool>(false)
    /// What the sleeper waits for, in words.
    private let reason: String
    /// The world whose threads sleep here; nil: the system.
    private let world: (any StoreWorld)?
    /// Whether the sleeper in a world was woken. Relaxed: one thread of a world runs at a time.
    private let isWoken = Atomic<Bool>(false)

    init(_ reason: String, _ world: (any StoreWorld)?) {
        self.reason = reason
        self.world = world
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
    /// consistently what the waker stores. In a world it also returns when that has come to its end.
    func sleep(atMost limit: Duration? = nil, until isReady: () -> Bool) {
        if let world { return sleep(in: world, atMost: limit, until: isReady) }
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
        if world != nil { return isWoken.store(true, ordering: .relaxed) }
        // Under the lock, so that the sleeper has not looked yet, or waits already.
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// As on a thread of the system, the sleeper looks again only when it was woken. So a world finds a wake-up that is
    /// missing.
    private func sleep(in world: any StoreWorld, atMost limit: Duration?, until isReady: () -> Bool) {
        isAsleep.store(true, ordering: .relaxed)
        defer { isAsleep.store(false, ordering: .relaxed) }
        let start = world.actionTime.nanosecondsSince1970
        let most = limit?.nanosecondsClamped ?? .max
        while !isReady(), !world.isOver {
            isWoken.store(false, ordering: .relaxed)
            let passed = UInt64(world.actionTime.nanosecondsSince1970 - start)
            guard passed < most else { return }
            let isOver = world.block(reason, atMost: limit == nil ? .max : most - passed) {
                isWoken.load(ordering: .relaxed)
            }
            if !isOver { return }
        }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
