// SPDX-License-Identifier: Apache-2.0

import CMillrace
import MillraceRuntime
import TestSupport
import Testing

@testable import Millrace

/// `await send`: waiting for room without a thread.
@Suite("Send", .serialized, .timeLimit(.minutes(5)))
struct SendTests {
    @Test("send waits for room, keeps the order of a task, and loses nothing", arguments: engines)
    func sends(engine: StoreEngine) async throws {
        let (tasks, each) = (16, 500)
        let store = ReduxStoreBase(
            initialState: Array(repeating: [Int](), count: tasks),
            reducer: Reducer<GuaranteeTests.Tagged, [[Int]]>.reduce { action, seen in
                seen[action.producer].append(action.number)
            },
            engine: engine,
            publication: .onDemand,
            capacity: .bounded(8)
        )
        try await withThrowingTaskGroup { group in
            for producer in 0..<tasks {
                group.addTask {
                    for number in 0..<each {
                        try await store.send(GuaranteeTests.Tagged(producer: producer, number: number))
                    }
                }
            }
            try await group.waitForAll()
        }
        await store.drain()
        let state = store.state
        for producer in 0..<tasks { #expect(state[producer] == Array(0..<each)) }
        expectBalance(store.metrics, offered: UInt64(tasks * each), reduced: UInt64(tasks * each))
    }

    @Test("hundreds of senders that wait block no thread of the pool", arguments: engines)
    func blocksNoThread(engine: StoreEngine) async throws {
        let held = await CapacityTests.Held(engine, .bounded(2))
        held.store.dispatch(1)
        let senders = (0..<200).map { _ in Task { try await held.store.send(7) } }
        // Far more senders than the pool has threads; the pool still runs this.
        for _ in 0..<100 { await Task.yield() }
        let other = Task { 42 }
        #expect(await other.value == 42)
        held.open()
        for sender in senders { try await sender.value }
        await held.store.drain()
        #expect(held.store.state == [0, 1] + Array(repeating: 7, count: 200))
    }

    @Test("a sender whose task is cancelled is let go, and its action did not go in", arguments: engines)
    func cancels(engine: StoreEngine) async throws {
        let held = await CapacityTests.Held(engine, .bounded(2))
        held.store.dispatch(1)
        let sender = Task { try await held.store.send(2) }
        let patient = Task { try await held.store.send(3) }
        #expect(await eventually { held.store.waiters == 2 })
        sender.cancel()
        #expect(await eventually { held.store.waiters == 1 })
        await #expect(throws: CancellationError.self) { try await sender.value }
        let cancelledBefore = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await held.store.send(4)
        }
        await #expect(throws: CancellationError.self) { try await cancelledBefore.value }
        held.open()
        try await patient.value
        await held.store.drain()
        #expect(held.store.state == [0, 1, 3])
        expectBalance(held.store.metrics, offered: 5, reduced: 3, rejected: 2)
    }

    @Test("closing lets senders go with an error that says so", arguments: engines)
    func closes(engine: StoreEngine) async throws {
        let held = await CapacityTests.Held(engine, .bounded(2))
        held.store.dispatch(1)
        let senders = (0..<10).map { number in Task { try await held.store.send(number) } }
        #expect(await eventually { held.store.waiters == 10 })
        onNewThread { held.store.close() }
        for sender in senders { await #expect(throws: SendError.closed) { try await sender.value } }
        await #expect(throws: SendError.closed) { try await held.store.send(1) }
        held.open()
        #expect(await eventually { held.store.metrics.pending == 0 })
        expectBalance(held.store.metrics, offered: 13, reduced: 2, rejected: 11)
        #expect("\(SendError.closed)".contains("accepts no more actions"))
    }

    @Test("producers that wait for room again and again all get their part of it")
    func fairness() async {
        let store = ReduxStoreBase(
            initialState: [0, 0, 0, 0],
            reducer: Reducer<Int, [Int]>.reduce { producer, counts in
                counts[producer] += 1
                let end = millrace_clock_monotonic() + 5_000
                while millrace_clock_monotonic() < end {}
            },
            engine: .thread(),
            publication: .onDemand,
            capacity: .bounded(1_024)
        )
        let total = 30_000
        let sent = Shared(0)
        func next() -> Bool {
            sent.update {
                $0 += 1; return $0
            } <= total
        }
        let producers = (0..<4).map { producer in
            Task.detached { while next() { try? await store.send(producer) } }
        }
        for producer in producers { await producer.value }
        await store.drain()
        // About a fourth each, if the system gives each task the same time. It need not: other tests run beside this one.
        // Without turns three of four producers got one place in two thousand.
        #expect(store.state.allSatisfy { $0 > total / 300 }, "\(store.state)")
    }

    @Test("cancelled, granted and closed at once: every send ends, once, and the counters balance", arguments: engines)
    func races(engine: StoreEngine) async {
        for round in 0..<30 {
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting(Int.self),
                engine: engine,
                publication: .onDemand,
                capacity: .bounded(1 + round % 3)
            )
            let ended = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
                for number in 0..<64 {
                    group.addTask {
                        let sender = Task { try await store.send(number) }
                        if number % 3 == 0 { sender.cancel() }
                        if number == 50 { await Task.detached { store.close() }.value }
                        return (try? await sender.value) != nil
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(await eventually { store.metrics.pending == 0 })
            let counters = store.metrics
            #expect(ended.count == 64)
            #expect(counters.offered == 64)
            #expect(counters.reduced == UInt64(ended.count { $0 }))
            #expect(counters.rejected == UInt64(ended.count { !$0 }))
        }
    }
}
