// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceEffects
import TestSupport
import Testing

/// Effects of a store that is bounded, and full.
@Suite("EffectMiddleware in a bounded store", .timeLimit(.minutes(5)))
struct EffectRoomTests {
    let clock = ManualClock()
    let doors = (0...40).map { _ in Door() }
    let callbacks = Shared<[@Sendable (Int) -> Void]>([])
    let sinks = Shared<[EffectSink<DispatchedAction<Int>>]>([])
    let reduced = Recorder<Int>()
    let isHeld = Shared(false)
    let release = DispatchSemaphore(value: 0)

    /// At 0 its pipeline stops until it is released.
    private func store(
        _ overflow: OverflowPolicy,
        _ middleware: SimpleEffectMiddleware<Int, Int>
    ) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { [reduced, isHeld, release] action, _ in
                reduced.record(action)
                if action == 0 {
                    isHeld.value = true
                    release.wait()
                }
            },
            middleware: middleware,
            engine: .thread(name: "bounded"),
            capacity: .bounded(4, overflow: overflow)
        )
    }

    private func middleware() -> SimpleEffectMiddleware<Int, Int> {
        .onAction(options: EffectOptions(clock: clock)) { [doors, callbacks, sinks] action, _, _ in
            switch action {
            case 1...38:
                .task { _ in
                    await doors[action].wait()
                    return 100 + action
                }
            case 39:
                .stream { _ in
                    AsyncStream { continuation in
                        Task {
                            await doors[action].wait()
                            for element in 200..<220 { continuation.yield(element) }
                            continuation.finish()
                        }
                    }
                }
            case 40: .promise(token: "promise") { _, done in callbacks.update { $0.append(done) } }
            case 41: .just(300).delay(for: .seconds(1))
            case 42: Effect { _, sink in sinks.update { $0.append(sink) } }
            default: .doNothing
            }
        }
    }

    @Test(
        "what tasks, streams, promises and delayed actions bring is not lost, and no thread of the pool waits",
        arguments: OverflowPolicy.allCases
    )
    func results(overflow: OverflowPolicy) async {
        let middleware = middleware()
        let store = store(overflow, middleware)
        for action in 1...41 { store.dispatch(control: action) }
        await store.drain()
        await clock.waitForSleepers(1)
        store.dispatch(control: 0)
        #expect(await eventually { isHeld.value })
        while store.offer(500) == .accepted {}
        for door in doors { door.open() }
        clock.advance(by: .seconds(1))
        // On a thread of its own: were it to wait, nobody would release the pipeline.
        let isTaken = Shared(false)
        onNewThread { [callbacks] in
            callbacks.value[0](400)
            isTaken.value = true
        }
        #expect(await eventually { isTaken.value })
        // More than the pool has threads.
        for _ in 0..<100 { await Task.detached { await Task.yield() }.value }
        #expect(middleware.runningEffects > 0)
        release.signal()
        #expect(await eventually { middleware.runningEffects == 0 })
        await store.drain()
        let brought = reduced.all.filter { $0 > 100 && $0 != 500 }
        #expect(brought.filter { 200..<220 ~= $0 } == Array(200..<220))
        #expect(Set(brought) == Set(Array(101...138) + Array(200..<220) + [300, 400]))
        #expect(brought.count == 60)
        callbacks.value = []
    }

    @Test("who is cancelled while it waits for room sends nothing, and lets the others in")
    func cancelled() async throws {
        let middleware = middleware()
        let store = store(.block, middleware)
        for action in [1, 2, 39] { try await store.send(action) }
        await store.drain()
        try await store.send(0)
        #expect(await eventually { isHeld.value })
        while store.offer(500) == .accepted {}
        for door in doors { door.open() }
        let waiting = Task { try await store.send(600) }
        for _ in 0..<100 { await Task.detached { await Task.yield() }.value }
        middleware.cancelAll()
        release.signal()
        try await waiting.value
        await store.drain()
        #expect(reduced.all.filter { $0 > 100 && $0 != 500 } == [600])
        let counters = store.metrics
        #expect(
            counters.offered == counters.reduced + counters.dropped + counters.rejected + counters.cancelled
                + counters.pending
        )
    }

    @Test("what a body sends by itself is treated as any other action of that thread")
    func sends() async throws {
        let store = store(.dropNewest, middleware())
        try await store.send(42)
        await store.drain()
        try await store.send(0)
        #expect(await eventually { isHeld.value })
        while store.offer(500) == .accepted {}
        sinks.value[0].send(DispatchedAction(700))
        #expect(store.metrics.dropped == 1)
        release.signal()
        await store.drain()
        #expect(!reduced.all.contains(700))
        sinks.value = []
    }
}
