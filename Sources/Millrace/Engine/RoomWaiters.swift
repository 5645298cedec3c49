// SPDX-License-Identifier: Apache-2.0

import MillraceCore
public import Synchronization

/// The threads and tasks that wait for room in a bounded queue, in the order in which they came. Also counts the
/// reservations: places kept for a waiter whose action is not in the queue yet.
///
/// Invariant: a place is reserved under the lock, by the depth and the reservations of that moment, so no place is
/// reserved twice. Two exceptions: `serveStalled`, and producers that have found room without waiting and have not
/// claimed it yet.
///
/// Invariant: while a waiter exists, a later event serves the first one. Each of the three parties writes first and
/// then reads. A waiter enters the line, writes `word`, then checks for room. The consumer reports its position, then
/// reads `word`. A thread that ends a reservation writes `word`, then checks for room. All these accesses are
/// sequentially consistent, so the party that reads last sees the writes of the other two. So no waiter is left over
/// when the queue is empty and nothing is reserved.
@usableFromInline
final class RoomWaiters: Sendable {
    private struct Line {
        var first: RoomWaiter?
        unowned(unsafe) var last: RoomWaiter?
        var count: UInt32 = 0
        var reserved: UInt32 = 0
        /// The number of waiters that were served and have not ended their reservation yet.
        var returning: UInt32 = 0
        /// The turn that each of them brings.
        var turn: UInt64 = 0
        var isClosed = false

        var word: UInt64 { UInt64(count) << 32 | UInt64(reserved) }

        mutating func append(_ waiter: RoomWaiter) {
            waiter.phase = .waiting
            waiter.previous = last
            if let last { last.next = waiter } else { first = waiter }
            last = waiter
            count += 1
        }

        /// Removes a waiter in constant time, wherever it stands. The caller must call the returned `resume`.
        mutating func remove(_ waiter: RoomWaiter) -> (@Sendable (RoomWaiter.Outcome) -> Void)? {
            let (previous, next) = (waiter.previous, waiter.next)
            if let previous { previous.next = next } else { first = next }
            if let next { next.previous = previous } else { last = previous }
            (waiter.previous, waiter.next) = (nil, nil)
            waiter.phase = .ended
            count -= 1
            defer { waiter.resume = nil }
            return waiter.resume
        }

        /// Removes up to `most` waiters from the front, and returns their `resume` closures.
        mutating func take(_ most: UInt64) -> [@Sendable (RoomWaiter.Outcome) -> Void] {
            var taken: [@Sendable (RoomWaiter.Outcome) -> Void] = []
            while UInt64(taken.count) < most, let first, let resume = remove(first) { taken.append(resume) }
            return taken
        }
    }

    private let line = Locked(Line())
    /// The number of waiters in the upper half, the number of reserved places in the lower half. Written while the lock
    /// is held.
    @usableFromInline let word = Atomic<UInt64>(0)

    /// The number of reservations made and reservations ended so far. Written while the lock is held, before `word`.
    /// Sequentially consistent: see ``room(_:)``.
    private let changes = Atomic<UInt64>(0)

    /// The number of places that producers may still take without waiting while others wait, or have not come back yet.
    ///
    /// A task that was served takes some time to come back. Meanwhile a producer that runs would take all free places,
    /// and those that come back would find the queue full again, each time. So a producer may take a turn only. Each
    /// waiter that comes back brings a new turn: its part of the places that were free when it was served. Relaxed:
    /// only fairness depends on it.
    private let turn = Atomic<UInt64>(0)

    /// Takes one place of the turn; returns false if the turn has ended. Any thread.
    func takeTurn() -> Bool {
        var left = turn.load(ordering: .relaxed)
        while left > 0 {
            let (exchanged, original) = turn.weakCompareExchange(expected: left, desired: left - 1, ordering: .relaxed)
            if exchanged { return true }
            left = original
        }
        return false
    }

    /// Whether there is neither a waiter nor a reservation. A producer that finds room may then claim it without
    /// waiting.
    ///
    /// Sequentially consistent, as are all accesses of `word`: see the second invariant.
    @inlinable
    var isIdle: Bool { word.load(ordering: .sequentiallyConsistent) == 0 }

    /// The number of waiters.
    var count: Int { Int(word.load(ordering: .sequentiallyConsistent) >> 32) }

    /// The number of places that are reserved for actions that are not in the queue yet.
    var reserved: UInt64 { word.load(ordering: .sequentiallyConsistent) & 0xffff_ffff }

    /// Returns what `room` returns for the number of reserved places.
    ///
    /// If that is 0, no reservation was made or ended during the last call of `room`. Otherwise a place could count
    /// twice: as reserved, and as taken by another action after the reservation had ended. Any thread.
    func room(_ room: (_ reserved: UInt64) -> UInt64) -> UInt64 {
        while true {
            let before = steps
            let reserved = reserved
            let found = room(reserved)
            // `word` first: a thread that ends a reservation writes `changes` first. So a reservation that ends between
            // the two loads above changes `word` afterwards, and one that is made after that changes `steps`.
            if found > 0 || (self.reserved == reserved && steps == before) { return found }
        }
    }

    /// Adds a waiter to the line, and calls `resume` once with the outcome.
    ///
    /// - Parameter room: A closure that returns the number of free places, given the number of reserved ones. Called
    ///   under the lock.
    func wait(
        _ waiter: RoomWaiter,
        room: (_ reserved: UInt64) -> UInt64,
        resume: @escaping @Sendable (RoomWaiter.Outcome) -> Void
    ) {
        let outcome: RoomWaiter.Outcome? = line.withLock { line in
            // Cancelled before it entered the line.
            guard waiter.phase == .new else { return .cancelled }
            guard !line.isClosed else {
                waiter.phase = .ended
                return .closed
            }
            waiter.resume = resume
            line.append(waiter)
            show(line)
            // Only the first waiter checks for room: a waiter behind another one must not take its place.
            guard line.count == 1, room(UInt64(line.reserved)) > 0 else { return nil }
            _ = line.remove(waiter)
            grant(1, &line)
            return .reserved
        }
        if let outcome { resume(outcome) }
    }

    /// Removes a waiter from the line, if it is there. A later call of `wait` for it has the outcome `cancelled`.
    func cancel(_ waiter: RoomWaiter) {
        let resume = line.withLock { line in
            guard waiter.phase == .waiting else {
                waiter.phase = .ended
                return (@Sendable (RoomWaiter.Outcome) -> Void)?.none
            }
            defer { show(line) }
            return line.remove(waiter)
        }
        resume?(.cancelled)
    }

    /// Ends one reservation, then serves waiters as `serve(room:)` does.
    func endReservation(room: (_ reserved: UInt64) -> UInt64) {
        serve(ending: 1, room: room)
    }

    /// Reserves places for the first waiters, as many as `room` returns. Calls their `resume` after releasing the lock.
    func serve(room: (_ reserved: UInt64) -> UInt64) {
        serve(ending: 0, room: room)
    }

    /// The number of reservations made and reservations ended so far. While it stays the same, no waiter advances.
    var steps: UInt64 { changes.load(ordering: .sequentiallyConsistent) }

    /// Reserves a place for this waiter, wherever it stands in the line, if `steps` has not changed since it was read.
    ///
    /// For a blocked thread: a place may be reserved for a task that cannot run before this thread does, and that
    /// reservation would never end.
    func serveStalled(_ waiter: RoomWaiter, since steps: UInt64, _ hasRoom: () -> Bool) {
        let resume: (@Sendable (RoomWaiter.Outcome) -> Void)? = line.withLock { line in
            guard self.steps == steps, line.reserved > 0, waiter.phase == .waiting, hasRoom() else { return nil }
            let resume = line.remove(waiter)
            grant(1, &line)
            return resume
        }
        resume?(.reserved)
    }

    private func serve(ending ended: UInt32, room: (_ reserved: UInt64) -> UInt64) {
        let served = line.withLock { line in
            line.reserved -= ended
            if ended > 0 {
                step(UInt64(ended))
                show(line)
            }
            if ended > 0, line.returning > 0 {
                line.returning -= 1
                turn.store(line.turn, ordering: .relaxed)
            }
            guard line.count > 0 else { return [@Sendable (RoomWaiter.Outcome) -> Void]() }
            #if MILLRACE_PLANTED
                if Planted.has(.waiterPassedOver), line.count > 2 { _ = line.take(1) }
            #endif
            let room = room(UInt64(line.reserved))
            let served = line.take(room)
            grant(UInt32(served.count), &line)
            if !served.isEmpty {
                line.returning += UInt32(served.count)
                line.turn = room / UInt64(served.count) - 1
            }
            return served
        }
        for resume in served { resume(.reserved) }
    }

    /// Ends all waiting with the outcome `closed`, now and in later calls of `wait`.
    func close() {
        let freed = line.withLock { line in
            line.isClosed = true
            defer { show(line) }
            return line.take(.max)
        }
        for resume in freed { resume(.closed) }
    }

    /// Counts new reservations.
    private func grant(_ count: UInt32, _ line: inout Line) {
        line.reserved += count
        step(UInt64(count))
        show(line)
    }

    /// Counts reservations that were made or ended. While the lock is held.
    private func step(_ count: UInt64) {
        changes.store(changes.load(ordering: .relaxed) &+ count, ordering: .sequentiallyConsistent)
    }

    private func show(_ line: Line) {
        word.store(line.word, ordering: .sequentiallyConsistent)
    }
}
