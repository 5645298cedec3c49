// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Dispatch
import Foundation
import Glibc
import Millrace
import Synchronization

/// One action to a thread that sleeps. Each function returns a closure that wakes the thread and returns the
/// nanoseconds until it has read the clock.
@MainActor
enum Wakers {
    typealias Waker = (name: String, wake: () -> UInt64)

    static func store(_ name: String, _ engine: StoreEngine) -> Waker {
        let reduced = Stamp()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, _ in reduced.set() },
            engine: engine,
            publication: .onDemand
        )
        return (name, { reduced.wait { store.dispatch(1) } })
    }

    static func futex() throws(BenchmarkError) -> Waker {
        guard let sleeper = bench_sleeper_create() else { throw .noThreads(1) }
        let owner = Sleeper(sleeper)
        return ("bare futex", { bench_sleeper_wake(owner.pointer) })
    }

    static func mailbox() -> Waker {
        let stamp = Stamp()
        let mailbox = CondvarMailbox<Bool>()
        Thread.detachNewThread {
            var taken: [Bool] = []
            while taken.last != false {
                taken.removeAll(keepingCapacity: true)
                mailbox.take(into: &taken)
                stamp.set()
            }
        }
        let end = AtEnd { mailbox.post(false) }
        return ("condition variable mailbox", { withExtendedLifetime(end) { stamp.wait { mailbox.post(true) } } })
    }

    static func dispatchQueue() -> Waker {
        let stamp = Stamp()
        let queue = DispatchQueue(label: "bench-wake-rival")
        return ("DispatchQueue.async", { stamp.wait { queue.async { stamp.set() } } })
    }

    /// The time at which the woken thread ran.
    private final class Stamp: Sendable {
        private let time = Atomic<UInt64>(0)

        func set() { time.store(bench_now(), ordering: .releasing) }

        /// Returns the nanoseconds from before `wake` until the time was set.
        func wait(_ wake: () -> Void) -> UInt64 {
            time.store(0, ordering: .relaxed)
            let began = bench_now()
            wake()
            while true {
                let found = time.load(ordering: .acquiring)
                if found != 0 { return found - began }
                bench_pause()
            }
        }
    }

    private final class Sleeper {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { bench_sleeper_destroy(pointer) }
    }

    private final class AtEnd {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
        deinit { body() }
    }
}
