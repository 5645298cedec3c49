// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The permits to spin without end. There is one fewer than processors, because threads that spin on all of them leave
/// none for the producers: then every action waits for the scheduler.
///
/// **Invariant.** At most ``most`` threads of the process have a permit. A thread takes one when it is idle, and gives
/// it back when its pipeline has ended.
enum SpinPermits {
    /// The number of permits. With one processor there is none.
    static let most = max(0, System.processors - 1)
    /// The permits that threads have. Relaxed: it only counts, and orders nothing else.
    private static let taken = Atomic<Int>(0)

    /// Takes a permit. Returns false if there is none.
    static func take() -> Bool {
        var now = taken.load(ordering: .relaxed)
        while now < most {
            let (isTaken, found) = taken.weakCompareExchange(expected: now, desired: now + 1, ordering: .relaxed)
            if isTaken { return true }
            now = found
        }
        return false
    }

    static func giveBack() { taken.subtract(1, ordering: .relaxed) }
}
