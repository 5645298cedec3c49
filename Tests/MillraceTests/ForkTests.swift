// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Millrace

/// A child of fork that goes on without exec has none of the parent's threads. It is told so, and does not hang.
@Suite("Stores in a child of fork", .serialized, .timeLimit(.minutes(5)), .disabled(if: isSanitized))
struct ForkTests {
    private func make(_ engine: StoreEngine) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: engine,
            publication: .onDemand,
            capacity: .bounded(4)
        )
    }

    /// A reducer that has begun, and stays until it may go on.
    private struct Stopped: Sendable {
        let hasBegun = Shared(false)
        let mayGoOn = Shared(false)

        func reducer() -> Reducer<Int, Int> {
            .reduce { _, state in
                hasBegun.value = true
                while !mayGoOn.value { usleep(200) }
                state += 1
            }
        }
    }

    @Test(
        "a dispatch to a store whose actions a thread of the parent handles stops the child; the parent goes on",
        arguments: [
            StoreEngine.thread(wait: .park), .thread(latency: .lowLatency), .queue(DispatchQueue(label: "fork")), .main,
        ]
    )
    func dispatch(engine: StoreEngine) async {
        let store = make(engine)
        store.dispatch(1)
        await store.drain()
        // The thread may be awake: the first dispatch stops the child nevertheless.
        let child = ForkedChild { store.dispatch(2) }
        #expect(child.wasStopped, "\(child)")
        let urgent = ForkedChild { store.dispatch(urgent: 2) }
        #expect(urgent.wasStopped, "\(urgent)")
        store.dispatch(3)
        await store.drain()
        #expect(store.state == 2)
    }

    @Test("a dispatch to a .caller store stops the child if another thread was handling an action during the fork")
    func busyCaller() async {
        let stopped = Stopped()
        let store = ReduxStoreBase(initialState: 0, reducer: stopped.reducer(), engine: .caller)
        let dispatching = Thread { store.dispatch(1) }
        dispatching.start()
        #expect(await eventually { stopped.hasBegun.value })
        let child = ForkedChild { store.dispatch(2) }
        #expect(child.wasStopped, "\(child)")
        stopped.mayGoOn.value = true
        store.dispatch(3)
        await store.drain()
        #expect(store.state == 2)
    }

    @Test("a child that reads on demand, or waits for room, stops")
    func waits() async {
        let stopped = Stopped()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: stopped.reducer(),
            publication: .onDemand,
            capacity: .bounded(2)
        )
        store.dispatch(1)
        #expect(await eventually { stopped.hasBegun.value })
        // The action that is being handled keeps its place, so the store is full now.
        store.dispatch(2)
        #expect(store.offer(3) == .full)
        let reader = ForkedChild { _ = store.state }
        #expect(reader.wasStopped, "\(reader)")
        // The tasks run on the thread that forked, to their first suspension.
        let sender = ForkedChild { Task.immediate { try await store.send(3) } }
        #expect(sender.wasStopped, "\(sender)")
        let drainer = ForkedChild { Task.immediate { await store.drain() } }
        #expect(drainer.wasStopped, "\(drainer)")
        stopped.mayGoOn.value = true
        await store.drain()
        #expect(store.state == 2)
    }

    @Test("stores that need no other thread work in the child, and so do stores that it creates")
    func ownStores() {
        let store = make(.caller)
        store.dispatch(1)
        let child = ForkedChild {
            store.dispatch(2)
            guard store.state == 2 else { abort() }
            let own = make(.thread())
            for number in 0..<4 { own.dispatch(number) }
            guard own.state == 4 else { abort() }
            // A grandchild has none of the child's threads.
            let grandchild = ForkedChild { own.dispatch(5) }
            guard grandchild.wasStopped else { abort() }
        }
        #expect(child.signal == 0, "\(child)")
        #expect(store.state == 1)
    }

    @Test("a child has a thread for grace periods of its own")
    func gracePeriod() async {
        let hasBegun = Shared(false)
        let mayGoOn = Shared(false)
        let isInChild = Shared(false)
        GracePeriod.after {
            hasBegun.value = true
            while !mayGoOn.value { usleep(200) }
        }
        #expect(await eventually { hasBegun.value })
        // About a store of the parent: the child must not call it.
        GracePeriod.after { if isInChild.value { abort() } }
        let child = ForkedChild {
            isInChild.value = true
            let isOver = Shared(false)
            GracePeriod.after { isOver.value = true }
            // If there is no thread, an alarm ends the child.
            var threads = stat()
            while !isOver.value, stat("/proc/self/task", &threads) != 0 || threads.st_nlink < 4 { usleep(200) }
            // liburcu may wait for a reader that is only in the parent. Then the grace period never ends.
            for _ in 0..<5_000 where !isOver.value { usleep(200) }
        }
        #expect(child.signal == 0, "\(child)")
        mayGoOn.value = true
    }
}
