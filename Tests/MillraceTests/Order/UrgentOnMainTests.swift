// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Millrace

@Suite("Urgent actions on the main queue, while another producer was stopped", .serialized, .timeLimit(.minutes(5)))
struct UrgentOnMainTests {
    private func makeStore() -> ReduxStoreBase<Int, [Int]> {
        ReduxStoreBase(
            initialState: [Int](),
            reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
            engine: .main
        )
    }

    private func wait(_ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(10)
        while !condition() {
            if ContinuousClock.now >= end { return false }
            usleep(1000)
        }
        return true
    }

    @MainActor
    @Test("one that comes while a dispatch waits for that producer is handled and published meanwhile")
    func meanwhile() {
        let store = makeStore()
        let stopped = StoppedProducer(store.core.queue.raw, 1)
        let isPublished = Atomic(false)
        onNewThread {
            store.dispatch(urgent: -1)
            let found = wait { store.state == [-1] }
            isPublished.store(found, ordering: .relaxed)
            stopped.publish()
        }
        // Without a message in between the dispatch would not wait: see GapTests.
        #expect(store.core.send {})
        store.dispatch(2)
        let found = isPublished.load(ordering: .relaxed)
        #expect(found)
        #expect(store.state == [-1, 1, 2])
    }

    @MainActor
    @Test("it does not wait for the slot of an action that is not urgent")
    func overtakes() async {
        let store = makeStore()
        let stopped = StoppedProducer(store.core.queue.raw, 1)
        store.dispatch(urgent: -1)
        #expect(store.state == [-1])
        stopped.publish()
        // A turn of the main queue that the urgent action asked for may take it at once.
        #expect(await eventually { store.core.queue.raw.hasReady || store.state == [-1, 1] })
        await store.drain()
        #expect(store.state == [-1, 1])
    }

    @MainActor
    @Test("behind the slot of another urgent action it is finished when the dispatch returns")
    func behindUrgent() throws {
        let store = makeStore()
        store.dispatch(urgent: -1)
        let urgent = try #require(store.core.consumer.urgent.queue)
        let stopped = StoppedProducer(urgent, -2) {
            store.core.cell.stage.askUrgent()
            store.core.wakeForUrgent()
        }
        let claimed = urgent.claimed
        onNewThread {
            // The main thread then looks into the queue, and has to wait.
            _ = wait { urgent.claimed > claimed }
            usleep(20_000)
            stopped.publish()
        }
        store.dispatch(urgent: -3)
        #expect(store.state == [-1, -2, -3])
    }

    @MainActor
    @Test("a chain that a turn has begun is published, also while a dispatch waits for its end")
    func chainBeforeADispatch() async {
        enum Action: Sendable { case step, outside, stop }
        struct Counts: Sendable { var (steps, outside, isStopped) = (0, 0, false) }
        let store = ReduxStoreBase(
            initialState: Counts(),
            reducer: Reducer<Action, Counts>.reduce { action, counts in
                switch action {
                case .step: counts.steps += 1
                case .outside: counts.outside += 1
                case .stop: counts.isStopped = true
                }
            },
            middleware: Handle<Action, Counts> { action, _, state in
                if case .step = action, !state().isStopped { return IO { $0.dispatch(.step) } }
                return .pure()
            },
            engine: .main,
            order: .internalFirst
        )
        onNewThread { store.dispatch(.step) }
        #expect(await eventually { store.metrics.reduced > 0 })
        let isPublished = Atomic(false)
        let mayLook = DispatchSemaphore(value: 0)
        onNewThread {
            mayLook.wait()
            let before = store.state.steps
            let found = wait { store.state.steps > before }
            isPublished.store(found, ordering: .relaxed)
            store.dispatch(urgent: .stop)
        }
        // From here on no turn of the main queue runs.
        mayLook.signal()
        store.dispatch(.outside)
        let found = isPublished.load(ordering: .relaxed)
        #expect(found)
        #expect(store.state.outside == 1)
    }
}
