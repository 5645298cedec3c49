// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EffectTestSupport
import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

/// Effect middlewares that come and go as plugins of a running store.
@Suite("EffectMiddleware: as a plugin", .serialized, .timeLimit(.minutes(5)))
struct EffectPluginTests {
    typealias Effects = SimpleEffectMiddleware<Int, Int>

    enum Way: CaseIterable, Sendable { case remove, replace }

    /// Holds the pipeline up at action 9.
    struct Barrier: MiddlewareProtocol, Sendable {
        let isEntered = Shared(false)
        let door = DispatchSemaphore(value: 0)

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            if action == 9 {
                isEntered.value = true
                door.wait()
            }
            return .pure()
        }
    }

    /// The state counts the actions that effects have dispatched: 7.
    private func makeStore(
        _ own: some MiddlewareProtocol<Int, Int, Int> & Sendable = IdentityMiddleware(),
        engine: StoreEngine = .thread(name: "plugins")
    ) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, count in if action == 7 { count += 1 } },
            middleware: own,
            engine: engine,
            publication: .onDemand
        )
    }

    private func leave(_ way: Way, _ store: ReduxStoreBase<Int, Int>) async throws {
        switch way {
        case .remove: try await store.plugins.remove("effects")
        case .replace: try await store.plugins.replace("effects", with: IdentityMiddleware<Int, Int, Int>())
        }
    }

    @Test("what its completed effects have dispatched, and still waits, is dropped with it", arguments: Way.allCases)
    func completed(way: Way) async throws {
        let barrier = Barrier()
        let store = makeStore(barrier)
        let middleware = Effects.onAction { action, _, _ in
            action == 1 ? .merge(.just(7), Effect.just(7).withToken("own")) : .doNothing
        }
        try await store.plugins.install(middleware, as: "effects")
        store.dispatch(9)
        #expect(await eventually { barrier.isEntered.value })
        store.dispatch(1)
        let leaving = Task { try await leave(way, store) }
        #expect(await eventually { store.metrics.depth == 3 })
        barrier.door.signal()
        try await leaving.value
        await store.drain()
        // Both were over before it left, and what they dispatched came after it had.
        #expect(middleware.figures.completed == 2)
        #expect(store.state == 0)
        #expect(store.metrics.cancelled == 2)
        #expect(store.metrics.pending == 0)
    }

    @Test("so is what its tasks have dispatched that are over", arguments: Way.allCases)
    func completedTasks(way: Way) async throws {
        let barrier = Barrier()
        let door = Door()
        let store = makeStore(barrier)
        let middleware = Effects.onAction { action, _, _ in
            guard action == 1 else { return .doNothing }
            return .task(token: "load") { _ in
                await door.wait()
                return 7
            }
        }
        try await store.plugins.install(middleware, as: "effects")
        store.dispatch(1)
        await store.drain()
        store.dispatch(9)
        #expect(await eventually { barrier.isEntered.value })
        let leaving = Task { try await leave(way, store) }
        #expect(await eventually { store.metrics.depth == 2 })
        door.open()
        #expect(await eventually { middleware.figures.completed == 1 })
        barrier.door.signal()
        try await leaving.value
        await store.drain()
        #expect(store.state == 0)
        #expect(store.metrics.cancelled == 1)
    }

    @Test("while it is installed its effects are heard, and those that are over stay heard when it is disabled")
    func heard() async throws {
        let store = makeStore(engine: .caller)
        let middleware = Effects.onAction { action, _, _ in action == 1 ? .just(7) : .doNothing }
        try await store.plugins.install(middleware, as: "effects")
        store.dispatch(1)
        try await store.plugins.disable("effects")
        await store.drain()
        #expect(store.state == 1)
        #expect(store.metrics.cancelled == 0)
    }

    @Test("an effect that is under way is cancelled with it, and released", arguments: Way.allCases)
    func running(way: Way) async throws {
        let store = makeStore()
        let hand = Hand()
        let alive = Shared(0)
        let (began, begin) = AsyncStream<Void>.makeStream()
        let isCancelled = Shared(false)
        do {
            let witness = Alive(alive)
            let middleware = Effects.onAction { [witness] action, _, _ in
                switch action {
                case 1: hand.effect("by hand", token: "hand")
                case 2:
                    .task { [witness] _ in
                        begin.finish()
                        await Door().wait()
                        isCancelled.value = Task.isCancelled
                        return withExtendedLifetime(witness) { 7 }
                    }
                default: .doNothing
                }
            }
            try await store.plugins.install(middleware, as: "effects")
        }
        store.dispatch(1)
        store.dispatch(2)
        for await _ in began {}
        hand.send("by hand", 7)
        await store.drain()
        #expect(store.state == 1)
        try await leave(way, store)
        #expect(hand.log.all == ["start by hand", "cancel by hand"])
        hand.send("by hand", 7)
        hand.complete("by hand")
        // The task notices, and nothing keeps the middleware.
        #expect(await eventually { isCancelled.value && alive.value == 0 })
        store.dispatch(1)
        await store.drain()
        #expect(store.state == 1)
        #expect(hand.log.count == 2)
    }

    @Test("come and go under load: nothing of one that has left is handled", arguments: [false, true])
    func churn(replaces: Bool) throws {
        let heardInAll = Shared(0)
        try SimulatedWorld.explore(seeds: 0..<150) { world in
            // Even actions come from outside; an odd one was dispatched by the plugin of the number half of it.
            let gone = Shared(-1)
            let late = Shared(0)
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { action, _ in
                    guard action % 2 == 1 else { return }
                    heardInAll.update { $0 += 1 }
                    if action / 2 <= gone.value { late.update { $0 += 1 } }
                },
                engine: .simulated(in: world),
                publication: .onDemand,
                capacity: .bounded(8)
            )
            @Sendable func effects(_ number: Int) -> Effects {
                Effects.onAction { action, _, _ in
                    guard action % 2 == 0 else { return .doNothing }
                    return action % 8 == 0 ? .task { _ in number * 2 + 1 } : .just(number * 2 + 1)
                }
            }
            world.thread("load") { for action in 0..<40 { store.dispatch(action * 2) } }
            world.task("changes") {
                var random = world.random
                if replaces { try await store.plugins.install(effects(0), as: "effects") }
                for number in 0..<4 {
                    if !replaces { try await store.plugins.install(effects(number), as: "effects") }
                    for _ in 0..<Int.random(in: 0..<12, using: &random) { await Task.yield() }
                    if replaces {
                        try await store.plugins.replace("effects", with: effects(number + 1))
                    } else {
                        try await store.plugins.remove("effects")
                    }
                    gone.value = number
                }
            }
            try world.run()
            if late.value > 0 { throw LateAction() }
            try expectBalanced(store, isDrained: true)
        }
        #expect(heardInAll.value > 1_000)
    }

    private struct LateAction: Error {}
}
