// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Millrace

/// The closure of a middleware that gets the state and an output when a store is made.
@Suite("receiveContext", .timeLimit(.minutes(5)))
struct ReceiveContextTests {
    typealias Output = AnyActionHandler<Int>
    typealias Middleware = AnyMiddleware<Int, Int, Int>

    /// Adds the actions.
    private let reducer = Reducer<Int, Int>.reduce { action, sum in sum += action }

    private func middleware(_ body: @escaping @Sendable (@escaping GetState<Int>, Output) -> Void) -> Middleware {
        AnyMiddleware(receiveContext: body, handle: { _, _, _ in .pure() })
    }

    @Test("is called once, when the store is made, with the state and an output that may be kept", arguments: engines)
    func once(engine: StoreEngine) async {
        let states = Recorder<Int>()
        let output = Shared<Output?>(nil)
        let store = ReduxStoreBase(
            initialState: 5,
            reducer: reducer,
            middleware: middleware { getState, handler in
                states.record(getState())
                output.value = handler
            },
            engine: engine
        )
        #expect(states.all == [5])
        output.value?.dispatch(2)
        store.dispatch(1)
        await store.drain()
        #expect(store.state == 8)
        #expect(states.all == [5])
    }

    @Test("what it dispatches itself is handled once all middlewares are bound, in order", arguments: engines)
    func inside(engine: StoreEngine) async {
        let log = Recorder<String>()
        func part(_ name: String, _ action: Int) -> Middleware {
            AnyMiddleware(
                receiveContext: { _, output in
                    log.record("\(name) bound")
                    output.dispatch(action)
                },
                handle: { action, _, _ in
                    log.record("\(name) \(action)")
                    return .pure()
                }
            )
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: reducer,
            middleware: part("a", 1) <> part("b", 2),
            engine: engine,
            capacity: .bounded(1, overflow: .block)
        )
        await store.drain()
        #expect(log.all == ["a bound", "b bound", "a 1", "b 1", "a 2", "b 2"])
    }

    @Test("its output goes to the tail of the queue")
    func tail() async {
        let output = Shared<Output?>(nil)
        let order = Recorder<Int>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, _ in order.record(action) },
            middleware: AnyMiddleware<Int, Int, Int>(
                receiveContext: { _, handler in output.value = handler },
                handle: { action, _, _ in
                    if action == 1 { output.value?.dispatch(3) }
                    return action == 1 ? IO { $0.dispatch(4) } : .pure()
                }
            ),
            engine: .caller
        )
        store.dispatch(contentsOf: [1, 2])
        await store.drain()
        #expect(order.all == [1, 2, 3, 4])
    }

    struct World: Sendable {
        var number = 7
        var others = [1, 2]
        var items = [Item(id: 1), Item(id: 2)]
    }

    struct Item: Identifiable, Sendable {
        let id: Int
    }

    enum WorldAction: Equatable, Sendable {
        case number(Int)
        case item(ElementIDAction<Int, Int>)
    }

    @Test("lifts map its state and its output; a lift to an element never calls it")
    func lifts() async {
        let calls = Recorder<String>()
        let seen = Recorder<String>()
        let part = middleware { getState, output in
            calls.record("\(getState())")
            output.dispatch(getState() + 1)
        }
        let element = AnyMiddleware<Int, Int, Item>(
            receiveContext: { _, _ in calls.record("element") },
            handle: { _, _, _ in .pure() }
        )
        let lifted = part.lift(
            inputAction: { (action: WorldAction) in if case .number(let number) = action { number } else { nil } },
            outputAction: WorldAction.number,
            state: { (world: World) in world.number }
        )
        let chain = (lifted <> IdentityMiddleware()).named("outer")
        let elements = element.liftToCollection(
            inputAction: { (action: WorldAction) in if case .item(let item) = action { item } else { nil } },
            outputAction: WorldAction.item,
            state: { (world: World) in world.items }
        )
        let store = ReduxStoreBase(
            initialState: World(),
            reducer: Reducer<WorldAction, World>.reduce { action, _ in seen.record("\(action)") },
            middleware: chain <> elements,
            engine: .caller
        )
        store.dispatch(.item(ElementIDAction(id: 1, action: 5)))
        await store.drain()
        #expect(calls.all == ["7"])
        #expect(seen.all.first == "number(8)")
    }

    @Test("a plugin gets one when it is installed; once it is removed, its actions are cancelled")
    func plugin() async throws {
        let output = Shared<Output?>(nil)
        let store = ReduxStoreBase(initialState: 0, reducer: reducer, engine: .caller)
        try await store.plugins.install(
            middleware { _, handler in
                output.value = handler
                handler.dispatch(1)
            },
            as: "plugin"
        )
        output.value?.dispatch(10)
        await store.drain()
        #expect(store.state == 11)
        try await store.plugins.remove("plugin")
        output.value?.dispatch(100)
        await store.drain()
        #expect(store.state == 11 && store.metrics.cancelled == 1)
    }

    @Test("its output does not keep the store, and dispatches nothing after the store's release", arguments: engines)
    func released(engine: StoreEngine) async {
        let output = Shared<Output?>(nil)
        let reduced = Shared(0)
        weak var core: StoreCore<Int, Int>?
        do {
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { _, _ in reduced.update { $0 += 1 } },
                middleware: middleware { _, handler in output.value = handler },
                engine: engine
            )
            core = store.core
            store.dispatch(1)
        }
        #expect(await eventually { core == nil })
        output.value?.dispatch(2)
        #expect(reduced.value == 1)
    }

    @Test("a middleware that keeps its output goes with an idle store", arguments: [StoreEngine.caller, .main])
    func releasedAtOnce(engine: StoreEngine) {
        final class Owner: Sendable {
            let output = Shared<Output?>(nil)
            let log: Recorder<String>
            init(_ log: Recorder<String>) { self.log = log }
            deinit { log.record("released") }
        }
        let log = Recorder<String>()
        var store: ReduxStoreBase<Int, Int>?
        do {
            let owner = Owner(log)
            store = ReduxStoreBase(
                initialState: 0,
                reducer: reducer,
                middleware: AnyMiddleware<Int, Int, Int>(
                    receiveContext: { _, handler in owner.output.value = handler },
                    handle: { _, _, _ in
                        _ = owner
                        return .pure()
                    }
                ),
                engine: engine
            )
        }
        #expect(store?.isClosed == false && log.count == 0)
        store = nil
        #expect(log.all == ["released"])
    }

    @Test("many threads dispatch through it while the store is released", arguments: engines)
    func race(engine: StoreEngine) async {
        for _ in 0..<50 {
            let output = Shared<Output?>(nil)
            let reduced = Shared(0)
            let store = Shared<ReduxStoreBase<Int, Int>?>(
                ReduxStoreBase(
                    initialState: 0,
                    reducer: Reducer<Int, Int>.reduce { _, _ in reduced.update { $0 += 1 } },
                    middleware: middleware { _, handler in output.value = handler },
                    engine: engine
                )
            )
            weak let core = store.value?.core
            let consumer = store.value?.core.consumer
            onThreads(4) { thread in
                if thread == 0 {
                    store.value = nil
                } else {
                    for number in 1...100 { output.value?.dispatch(number) }
                }
            }
            #expect(await eventually { core == nil && consumer?.isFinished == true })
            let counters = consumer?.shared
            #expect(UInt64(reduced.value) <= 300 && counters != nil)
        }
    }

    @Test("the outputs of one store open together, so the order of their dispatches holds")
    func together() async {
        let outputs = Shared<[Output]>([])
        let order = Recorder<Int>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, _ in
                order.record(action)
                guard action == 1 else { return }
                // The store is being made: the action 1, which was held, runs its pipeline on this thread.
                onThreads(1) { _ in
                    outputs.value[1].dispatch(2)
                    outputs.value[0].dispatch(3)
                }
            },
            middleware: middleware { _, output in
                outputs.update { $0.append(output) }
                output.dispatch(1)
            } <> middleware { _, output in outputs.update { $0.append(output) } },
            engine: .caller
        )
        await store.drain()
        #expect(order.all == [1, 2, 3])
    }

    @Test("the outputs of all shards open together")
    func shardsTogether() async {
        let outputs = Shared<[Output]>([])
        let order = Recorder<Int>()
        let store = ShardedStore<Int, Int, Int>(
            shards: 2,
            by: { _ in 0 },
            initialState: { _ in 0 },
            reducer: Reducer.reduce { action, _ in
                order.record(action)
                guard action == 1 else { return }
                onThreads(1) { _ in
                    outputs.value[1].dispatch(2)
                    outputs.value[0].dispatch(3)
                }
            },
            middleware: { shard in
                middleware { _, output in
                    outputs.update { $0.append(output) }
                    if shard == 0 { output.dispatch(1) }
                }
            },
            engine: { _ in .caller }
        )
        await store.drain()
        #expect(order.all == [1, 2, 3])
    }

    @Test("an action that a handler dispatches comes after all that were held, on every engine", arguments: engines)
    func consequencesLater(engine: StoreEngine) async {
        let output = Shared<Output?>(nil)
        let order = Recorder<Int>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, _ in order.record(action) },
            middleware: AnyMiddleware<Int, Int, Int>(
                receiveContext: { _, handler in
                    output.value = handler
                    for action in 1...20 { handler.dispatch(action) }
                },
                handle: { action, _, _ in
                    guard action == 1 else { return .pure() }
                    output.value?.dispatch(21)
                    return IO { $0.dispatch(22) }
                }
            ),
            engine: engine
        )
        await store.drain()
        // The first one need not wait for 21 and 22, which action 1 dispatches.
        await store.drain()
        #expect(order.all == Array(1...22))
    }

    @Test("what was held may exceed the capacity: nothing waits, and nothing is dropped")
    func beyondCapacity() async {
        let handled = Recorder<Int>()
        for overflow in [OverflowPolicy.block, .dropNewest, .dropOldest] {
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { action, _ in handled.record(action) },
                middleware: middleware { _, handler in
                    for action in 1...5 { handler.dispatch(action) }
                    handler.dispatch(urgent: 6)
                },
                engine: .thread(),
                capacity: .bounded(1, overflow: overflow)
            )
            await store.drain()
            #expect(store.metrics.dropped == 0 && store.metrics.reduced == 6)
        }
        #expect(handled.all.filter { $0 < 6 } == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
    }

    @Test("the output of a plugin in a shard finds the shard of an action")
    func pluginOfShard() async throws {
        let output = Shared<Output?>(nil)
        let store = ShardedStore<Int, [Int], Int>(
            shards: 2,
            by: { $0 },
            initialState: { _ in [] },
            reducer: Reducer.reduce { action, actions in actions.append(action) },
            middleware: { _ in IdentityMiddleware<Int, Int, [Int]>() },
            engine: { _ in .caller }
        )
        let other = try #require((0..<1_000).first { store.indexOfKey($0) == 1 })
        try await store.shards[0].plugins.install(
            AnyMiddleware<Int, Int, [Int]>(
                receiveContext: { _, handler in output.value = handler },
                handle: { _, _, _ in .pure() }
            ),
            as: "plugin"
        )
        output.value?.dispatch(other)
        await store.drain()
        #expect(store.shards[0].state == [] && store.shards[1].state == [other])
    }
}
