// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Glibc
import TestSupport
import Testing

@testable import Millrace

/// Room that was granted: it is counted until it is used, and goes on to the next one if it is not.
@Suite("Room of a bounded store", .serialized, .timeLimit(.minutes(5)))
struct RoomTests {
    @Test("a queue without memory refuses all who wait, and hangs nobody", arguments: [1, 4, 64])
    func noMemory(capacity: Int) async throws {
        let held = await CapacityTests.Held(.thread(), .bounded(capacity))
        let store = held.store
        for number in 1..<capacity { store.dispatch(number) }
        // Claims up to the end of the first segment, so that the next one needs memory.
        let queue = store.core.queue.raw.pointer
        let slots = (queue.pointee.first_bytes - queue.pointee.slots_offset) / queue.pointee.stride
        var control = capacity
        while control < slots {
            store.dispatch(control: control)
            control += 1
        }
        let map = queue.pointee.map
        queue.pointee.map = { _ in nil }
        let (threads, tasks) = (8, 8)
        let ended = Shared(0)
        for number in 0..<threads {
            onNewThread {
                store.dispatch(-number)
                ended.update { $0 += 1 }
            }
        }
        for number in 0..<tasks {
            Task {
                await #expect(throws: SendError.outOfMemory) { try await store.send(-number) }
                ended.update { $0 += 1 }
            }
        }
        // Seconds, and no further step: a room that is lost here would block the rest of the test.
        try #require(await eventually { store.waiters == threads + tasks })
        held.open()
        try #require(await eventually { ended.value == threads + tasks })
        #expect(store.waiters == 0)
        #expect(store.core.admission?.waiters.reserved == 0)
        queue.pointee.map = map
        // Nothing is lost of what went in, and the store goes on.
        store.dispatch(-100)
        await store.drain()
        #expect(store.state.last == -100)
        #expect(store.metrics.rejected == UInt64(threads + tasks))
        #expect(store.metrics.offered == store.metrics.reduced + store.metrics.rejected)
    }

    @Test("senders that were suspended keep to the capacity", arguments: [1, 10])
    func suspendedSenders(capacity: Int) async {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: .thread(),
            publication: .onDemand,
            capacity: .bounded(capacity)
        )
        let count = 1_000
        // On one actor, so that all of them go on one after the other long after they were granted a place.
        let tasks = (0..<count).map { number in Task { @MainActor in try await store.send(number) } }
        for task in tasks { try? await task.value }
        await store.drain()
        #expect(store.metrics.reduced == UInt64(count))
        // Besides the capacity: the one actor in the middle of a dispatch, and the message of the drain.
        #expect(store.metrics.highWaterMark <= UInt64(capacity + 2))
        #expect(store.core.admission?.waiters.isIdle == true)
    }

    @Test("a place is passed on by whoever does not use it, also where one fits", arguments: engines)
    func unusedReservations(engine: StoreEngine) async {
        let held = await CapacityTests.Held(engine, .bounded(1))
        let core = held.store.core
        let reserved = Shared(0)
        let tasks = (0..<50).map { _ in
            Task {
                guard case .reserved = await core.reserveRoom() else { return }
                reserved.update { $0 += 1 }
                core.endReservation()
            }
        }
        let sender = Task { try await held.store.send(7) }
        #expect(await eventually { held.store.waiters == 51 })
        held.open()
        for task in tasks { await task.value }
        #expect((try? await sender.value) != nil)
        await held.store.drain()
        #expect(reserved.value == 50)
        #expect(held.store.state == [0, 7])
        #expect(held.store.offer(8) == .accepted)
    }

    @Test("a place that is reserved is not given to an offer", arguments: engines)
    func reservedPlace(engine: StoreEngine) async {
        let held = await CapacityTests.Held(engine, .bounded(1))
        let core = held.store.core
        let reservation = Task {
            if case .reserved = await core.reserveRoom() { true } else { false }
        }
        #expect(await eventually { held.store.waiters == 1 })
        held.open()
        #expect(await reservation.value)
        #expect(await eventually { held.store.metrics.pending == 0 })
        #expect(held.store.offer(7) == .full)
        core.endReservation()
        #expect(held.store.offer(8) == .accepted)
        await held.store.drain()
        #expect(held.store.state == [0, 8])
    }

    @Test("messages of earlier times take no place of a store that drops the oldest")
    func messages() async {
        let held = await CapacityTests.Held(.thread(), .bounded(10, overflow: .dropOldest))
        held.open()
        for _ in 1...5 { await held.store.drain() }
        let (isHeld, mayGo) = (Shared(false), Shared(false))
        held.store.perform {
            isHeld.value = true
            while !mayGo.value { usleep(200) }
        }
        #expect(await eventually { isHeld.value })
        for action in 1...30 { held.store.dispatch(action) }
        mayGo.value = true
        await held.store.drain()
        #expect(held.store.state == [0] + Array(11...20))
    }

    @Test("no more of those who wait get room than there is")
    func room() async {
        let permits = Shared(0)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                while permits.value <= count { usleep(200) }
                count += 1
            },
            capacity: .bounded(8)
        )
        for action in 1...8 { store.dispatch(action) }
        let senders = (1...20).map { number in Task { try await store.send(number) } }
        #expect(await eventually { store.core.admission?.waiters.count == 20 })
        for count in 1...20 {
            permits.value = count
            #expect(await eventually { store.metrics.reduced >= UInt64(count) })
            #expect(store.metrics.depth <= 8, "after \(count)")
        }
        permits.value = .max
        for sender in senders { _ = await sender.result }
        await store.drain()
        #expect(store.metrics.reduced == 28)
    }
}
