// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Millrace

/// A producer that is stopped between claim and publication, and never publishes: it stays there, or its thread ends.
@Suite("A producer that is stopped for ever", .serialized, .timeLimit(.minutes(5)))
struct StoppedProducerTests {
    /// A thread that has claimed a slot, until `end()`.
    private final class Producer: Sendable {
        private let door = DispatchSemaphore(value: 0)

        /// Holds the core, as every thread that dispatches does.
        init(_ core: any AnyObject & Sendable, _ queue: QueueHandle) async {
            let (door, isInside) = (door, Shared(false))
            StoreThread.start(name: "stopped") {
                var claim = millrace_claim()
                millrace_read_begin()
                let result = millrace_queue_claim(queue.pointer, 1, &claim)
                isInside.value = result == MILLRACE_OK
                door.wait()
                // As liburcu does when a thread ends inside.
                millrace_read_end()
                withExtendedLifetime(core) {}
            }
            #expect(await eventually { isInside.value }, "the slot is claimed")
        }

        func end() { door.signal() }
    }

    /// Its actions are counted while they exist.
    private final class Cargo: Sendable {
        let number: Int
        private let alive: Shared<Int>

        init(_ number: Int, _ alive: Shared<Int>) {
            (self.number, self.alive) = (number, alive)
            alive.update { $0 += 1 }
        }

        deinit { alive.update { $0 -= 1 } }
    }

    private func make(_ engine: StoreEngine) -> ReduxStoreBase<Cargo, [Int]> {
        ReduxStoreBase(
            initialState: [],
            reducer: .reduce { cargo, log in log.append(cargo.number) },
            engine: engine
        )
    }

    private static var engines: [StoreEngine] {
        [.thread(wait: .park), .queue(DispatchQueue(label: "stopped")), .caller]
    }

    @Test(
        "drain waits, and what is behind it, also when its task is cancelled; a shutdown ends in time and reports what is left",
        arguments: engines
    )
    func stopped(engine: StoreEngine) async throws {
        let (store, alive) = (make(engine), Shared(0))
        store.dispatch(Cargo(1, alive))
        await store.drain()
        let producer = await Producer(store.core, store.core.queue.raw)
        for number in 2...4 { store.dispatch(Cargo(number, alive)) }
        let messages = store.core.consumer.shared.messagesOffered.load(ordering: .relaxed)
        let isDrained = Shared(false)
        let drain = Task {
            await store.drain()
            isDrained.value = true
        }
        drain.cancel()
        #expect(
            await eventually { store.core.consumer.shared.messagesOffered.load(ordering: .relaxed) > messages }
        )
        for number in 5...7 { store.dispatch(Cargo(number, alive)) }
        #expect(await eventually { store.metrics.reduced == 4 })
        store.dispatch(Cargo(8, alive))
        #expect(store.metrics.stalledProducer > 0)
        #expect(store.metrics.pending == 5, "the slot, and what is behind the message of the drain")

        let report = await store.shutdown(deadline: .milliseconds(50))
        #expect(!report.isComplete && report.reduced == 0 && report.dropped == 0 && report.pending == 5)
        #expect(report.elapsed < .seconds(10) && report.stuckHandler == nil)
        #expect(!isDrained.value)
        #expect(alive.value == 4 && store.state == [1, 2, 3, 4])

        // The thread ends. So the store does.
        producer.end()
        let last = await store.shutdown()
        #expect(last.isComplete && last.pending == 0)
        await drain.value
        #expect(last.metrics.reduced == 4 && last.metrics.dropped == 5, "they were there at the deadline")
        #expect(alive.value == 0)
    }

    @Test("a thread that ends there: close passes its slot, and what is behind is handled", arguments: engines)
    func ended(engine: StoreEngine) async {
        let (store, alive) = (make(engine), Shared(0))
        for place in 0..<3 {
            store.dispatch(Cargo(place, alive))
            // The last one has nothing behind it.
            await Producer(store.core, store.core.queue.raw).end()
        }
        store.dispatch(urgent: Cargo(7, alive))
        if let urgent = store.core.consumer.urgent.queue { await Producer(store.core, urgent).end() }
        let report = await store.shutdown()
        #expect(report.isComplete && report.pending == 0)
        #expect(store.state.filter { $0 < 7 } == [0, 1, 2] && store.state.contains(7))
        #expect(report.metrics.dropped == 4, "the slots that were never published")
        expectBalance(report.metrics, offered: 8, reduced: 4, dropped: 4)
        #expect(alive.value == 0)
    }

    @Test("a released store stays while the thread is stopped; when it ends, the store does", arguments: engines)
    func released(engine: StoreEngine) async throws {
        let (alive, reduced, token) = (Shared(0), Recorder<Int>(), Shared(0))
        var store: ReduxStoreBase<Cargo, Int>? = ReduxStoreBase(
            initialState: 0,
            reducer: .reduce { cargo, _ in reduced.record(cargo.number) },
            middleware: Handle<Cargo, Int> { [token = Cargo(0, token)] _, _, _ in
                withExtendedLifetime(token) { .pure() }
            },
            engine: engine
        )
        store?.dispatch(Cargo(1, alive))
        await store?.drain()
        let consumer = try #require(store?.core.consumer)
        let producer: Producer
        do {
            let core = try #require(store?.core)
            producer = await Producer(core, core.queue.raw)
        }
        store?.dispatch(Cargo(2, alive))
        store = nil
        #expect(await eventually { reduced.all == [1, 2] })
        // Time enough for a grace period, if there were one: the store is closed, and not ended.
        try await Task.sleep(for: .milliseconds(100))
        #expect(consumer.isClosed && !consumer.isFinished)
        #expect(alive.value == 0 && token.value == 1)
        producer.end()
        #expect(await eventually { alive.value == 0 && token.value == 0 })
        #expect(reduced.all == [1, 2])
    }
}
