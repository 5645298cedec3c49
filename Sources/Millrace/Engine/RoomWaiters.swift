// SPDX-License-Identifier: Apache-2.0

import MillraceCore
public import Synchronization

/// Threads and tasks that wait for room in a bounded queue, served in the order in which they came.
///
/// Handshake with the consumer: who waits puts itself on the list, says so in `waiting`, then looks for room once more;
/// the consumer reports how far it has come, then looks at `waiting`. One of the two sees the other.
@usableFromInline
final class RoomWaiters: Sendable {
    enum Outcome: Sendable {
        /// There is room, and it is meant for whoever is told so.
        case granted
        case closed
        case cancelled
    }

    private struct Waiter {
        let id: UInt64
        let resume: @Sendable (Outcome) -> Void
    }

    private struct List {
        var waiters: [Waiter] = []
        /// Those before it have gone; moved up now and then.
        var first = 0
        var isClosed = false

        var count: Int { waiters.count - first }

        mutating func take(_ most: Int) -> [Waiter] {
            let taken = Array(waiters[first..<first + min(most, count)])
            first += taken.count
            if first * 2 >= waiters.count {
                waiters.removeFirst(first)
                first = 0
            }
            return taken
        }
    }

    private let list = Locked(List())
    @usableFromInline let waiting = Atomic<Int>(0)
    private let ids = Atomic<UInt64>(0)

    /// Sequentially consistent: for the consumer, after it reported; pairs with the store in `wait`.
    @inlinable
    var isEmpty: Bool { waiting.load(ordering: .sequentiallyConsistent) == 0 }

    /// A mark by which a waiter can be called back. Relaxed: only has to be unique.
    func makeID() -> UInt64 { ids.add(1, ordering: .relaxed).newValue }

    /// Has `resume` called once: when there is room, when the store closes, when `finish` is called for it.
    ///
    /// `lookAgain` is asked once it is on the list, and answers how it ends if it ends at once. It is told whether it is
    /// the first: for the others there is no room while that one waits.
    func wait(_ id: UInt64, lookAgain: (_ isFirst: Bool) -> Outcome?, resume: @escaping @Sendable (Outcome) -> Void) {
        let isFirst: Bool? = list.withLock { list in
            guard !list.isClosed else { return nil }
            list.waiters.append(Waiter(id: id, resume: resume))
            // Sequentially consistent: before the look for room below, pairs with isEmpty.
            waiting.store(list.count, ordering: .sequentiallyConsistent)
            return list.count == 1
        }
        guard let isFirst else { return resume(.closed) }
        if let outcome = lookAgain(isFirst) { finish(id, with: outcome) }
    }

    /// Calls back one waiter, if it still waits.
    func finish(_ id: UInt64, with outcome: Outcome) {
        let waiter: Waiter? = list.withLock { list in
            guard let index = list.waiters[list.first...].firstIndex(where: { $0.id == id }) else { return nil }
            let waiter = list.waiters.remove(at: index)
            waiting.store(list.count, ordering: .sequentiallyConsistent)
            return waiter
        }
        waiter?.resume(outcome)
    }

    /// Serves the first so many. They are called without the lock.
    func grant(_ room: Int) {
        let served = list.withLock { list in
            let served = list.take(room)
            waiting.store(list.count, ordering: .sequentiallyConsistent)
            return served
        }
        for waiter in served { waiter.resume(.granted) }
    }

    /// Frees all, for good.
    func close() {
        let freed = list.withLock { list in
            list.isClosed = true
            let freed = list.take(.max)
            waiting.store(0, ordering: .sequentiallyConsistent)
            return freed
        }
        for waiter in freed { waiter.resume(.closed) }
    }
}
