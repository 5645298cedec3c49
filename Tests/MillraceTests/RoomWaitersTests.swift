// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Millrace

/// The line of those who wait for room, by itself.
@Suite("Waiters for room", .timeLimit(.minutes(5)))
struct RoomWaitersTests {
    let line = RoomWaiters()
    let told = Recorder<String>()

    private func enter(_ name: String, room: UInt64 = 0) -> RoomWaiter {
        let waiter = RoomWaiter()
        line.wait(waiter, room: { room > $0 ? room - $0 : 0 }) { [told] in told.record("\(name) \($0)") }
        return waiter
    }

    @Test("served in the order in which they came, without those that left")
    func order() {
        let waiters = (0..<6).map { enter("\($0)") }
        for number in [0, 2, 5] { line.cancel(waiters[number]) }
        #expect(told.all == ["0 cancelled", "2 cancelled", "5 cancelled"])
        #expect(line.count == 3)
        line.serve { _ in 2 }
        line.serve { _ in 2 }
        #expect(told.all.dropFirst(3) == ["1 reserved", "3 reserved", "4 reserved"])
        #expect(line.count == 0)
        #expect(line.reserved == 3)
    }

    @Test("a place that is reserved is not granted again until the reservation ends")
    func reservations() {
        let capacity = 2 as UInt64
        for number in 0..<5 { _ = enter("\(number)") }
        line.serve { capacity - $0 }
        line.serve { capacity - $0 }
        #expect(told.all == ["0 reserved", "1 reserved"])
        line.endReservation { capacity - $0 }
        #expect(told.all.last == "2 reserved")
        #expect(line.reserved == 2)
        for _ in 0..<4 { line.endReservation { capacity - $0 } }
        #expect(told.all.last == "4 reserved")
        #expect(line.reserved == 0)
        #expect(line.isIdle)
    }

    @Test("a place whose reservation ends, and which another action takes, does not count twice")
    func countsOnce() {
        let capacity = 2 as UInt64
        _ = enter("served", room: 1)
        #expect(line.reserved == 1)
        var depth = 0 as UInt64
        let room = line.room { reserved in
            // The action of the reservation is handled, and another producer claims a place: between the two loads of a look.
            if reserved > 0 {
                line.endReservation { _ in 0 }
                depth = 1
            }
            return capacity - min(capacity, reserved + depth)
        }
        #expect(room == 1, "two places were never taken at the same time")
    }

    @Test("a look for room notices a reservation that ends, though another one is made at once")
    func noticesEveryReservation() {
        _ = enter("first", room: 1)
        var looks = 0
        let room = line.room { reserved in
            looks += 1
            if looks == 1 {
                line.endReservation { _ in 0 }
                _ = enter("second", room: 1)
            }
            #expect(reserved == 1)
            return 0
        }
        #expect(room == 0)
        #expect(looks == 2)
    }

    @Test("who comes back from the line brings a turn: its part of the places that were free")
    func turns() {
        func taken() -> Int {
            var count = 0
            while line.takeTurn() { count += 1 }
            return count
        }
        for number in 0..<4 { _ = enter("\(number)") }
        #expect(taken() == 0)
        line.serve { 18 - $0 }
        #expect(taken() == 0, "nobody has come back")
        for _ in 0..<4 {
            line.endReservation { _ in 0 }
            #expect(taken() == 3, "18 / 4, without its own place")
        }
        _ = enter("at once", room: 1)
        line.endReservation { _ in 0 }
        #expect(taken() == 0, "it did not wait")
    }

    @Test("the first finds room that came before it stood in line; the next one does not pass it")
    func looksAgain() {
        _ = enter("first")
        _ = enter("second", room: 1)
        #expect(told.all.isEmpty)
        line.serve { _ in 2 }
        line.endReservation { _ in 0 }
        line.endReservation { _ in 0 }
        _ = enter("third", room: 1)
        #expect(told.all == ["first reserved", "second reserved", "third reserved"])
        #expect(line.reserved == 1)
    }

    @Test("cancelled before, twice, and after it was served: told once")
    func cancelsOnce() {
        let early = RoomWaiter()
        line.cancel(early)
        line.wait(early, room: { _ in 1 }) { [told] in told.record("early \($0)") }
        let waiter = enter("waiter")
        line.cancel(waiter)
        line.cancel(waiter)
        let served = enter("served", room: 1)
        line.cancel(served)
        #expect(told.all == ["early cancelled", "waiter cancelled", "served reserved"])
        #expect(line.reserved == 1)
        #expect(line.count == 0)
    }

    @Test("closing frees all, and who comes later is told at once")
    func closes() {
        for number in 0..<3 { _ = enter("\(number)") }
        line.close()
        _ = enter("late", room: 1)
        #expect(told.all == ["0 closed", "1 closed", "2 closed", "late closed"])
        #expect(line.isIdle)
    }
}
