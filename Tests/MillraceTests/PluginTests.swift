// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import TestSupport
import Testing

@Suite("Plugins", .serialized, .timeLimit(.minutes(5)))
struct PluginTests {
    private let log = Recorder<String>()

    /// Writes down every call, with the state that it sees; returns an IO if it is told to.
    struct Spy: MiddlewareProtocol {
        let name: String
        let log: Recorder<String>
        var hasIO = false

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            log.record("\(name) handle \(action) \(state())")
            guard hasIO else { return .pure() }
            return IO { _ in log.record("\(name) IO \(action) \(state())") }
        }

        func afterReduce(
            action: Int,
            from dispatcher: ActionSource,
            state: @escaping GetState<Int>,
            output: AnyActionHandler<Int>
        ) {
            log.record("\(name) after \(action) \(state())")
        }
    }

    /// Only `handle`: has no `afterReduce`.
    struct Ear: MiddlewareProtocol {
        let name: String
        let log: Recorder<String>

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            log.record("\(name) \(action)")
            return .pure()
        }
    }

    /// Keeps the outputs of its IOs; says when it is cancelled and released.
    final class Keeper: MiddlewareProtocol, Sendable {
        let outputs: Recorder<AnyActionHandler<Int>>
        let log: Recorder<String>

        init(_ outputs: Recorder<AnyActionHandler<Int>>, _ log: Recorder<String>) {
            self.outputs = outputs
            self.log = log
        }

        deinit { log.record("released") }

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            action == 1 ? IO { [outputs] output in outputs.record(output) } : .pure()
        }

        var effectCanceller: EffectCanceller { EffectCanceller { [log] in log.record("cancelled") } }
    }

    private func makeStore(
        _ engine: StoreEngine = .caller,
        _ own: some MiddlewareProtocol<Int, Int, Int> & Sendable = IdentityMiddleware()
    ) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: own,
            engine: engine,
            publication: .onDemand
        )
    }

    @Test(
        "a plugin comes after the store's own middlewares, and is told of each action as they are",
        arguments: engines
    )
    func order(engine: StoreEngine) async throws {
        let store = makeStore(engine, Spy(name: "own", log: log, hasIO: true))
        try await store.plugins.install(Spy(name: "plug", log: log, hasIO: true), as: "plug")
        store.dispatch(7)
        await store.drain()
        #expect(
            log.all == [
                "own handle 7 0", "plug handle 7 0", "plug after 7 1", "own after 7 1", "plug IO 7 1", "own IO 7 1",
            ]
        )
    }

    /// A wrapper as a stranger writes one.
    struct Wrapper<Base: MiddlewareProtocol>: MiddlewareWrapper {
        var base: Base
    }

    @Test("a middleware in a wrapper is a plugin like any other: its name, its IO, its removal", arguments: engines)
    func wrapped(engine: StoreEngine) async throws {
        let store = makeStore(engine, Wrapper(base: Spy(name: "own", log: log).named("inside")))
        let spy = Spy(name: "plug", log: log, hasIO: true)
        try await store.plugins.install(Wrapper(base: Wrapper(base: spy)), as: "wrapped")
        store.dispatch(7)
        await store.drain()
        #expect(log.all == ["own handle 7 0", "plug handle 7 0", "plug after 7 1", "own after 7 1", "plug IO 7 1"])
        #expect(store.plugins.all.map(\.handled) == [1])
        #expect(store.probed.middlewareNames.map(\.description) == ["inside", "wrapped"])
        try await store.plugins.remove("wrapped")
        log.clear()
        store.dispatch(8)
        await store.drain()
        #expect(log.all == ["own handle 8 1", "own after 8 2"])
    }

    @Test("it sees the actions between its installation and its removal, and no others", arguments: engines)
    func span(engine: StoreEngine) async throws {
        let store = makeStore(engine)
        store.dispatch(1)
        try await store.plugins.install(Ear(name: "ear", log: log), as: "ear")
        store.dispatch(2)
        store.dispatch(3)
        try await store.plugins.remove("ear")
        store.dispatch(4)
        await store.drain()
        #expect(log.all == ["ear 2", "ear 3"])
        #expect(store.state == 4)
        #expect(store.plugins.all == [])
    }

    @Test("places: first, last, before and after; moving changes nothing else", arguments: engines)
    func places(engine: StoreEngine) async throws {
        let store = makeStore(engine)
        let plugins = store.plugins
        func ear(_ name: String) -> Ear { Ear(name: name, log: log) }
        func order() async -> [String] {
            log.clear()
            store.dispatch(0)
            await store.drain()
            return log.all.map { String($0.prefix(1)) }
        }
        try await plugins.install(ear("b"), as: "b")
        try await plugins.install(ear("d"), as: "d")
        try await plugins.install(ear("a"), as: "a", at: .first)
        try await plugins.install(ear("c"), as: "c", at: .before("d"))
        try await plugins.install(ear("e"), as: "e", at: .after("d"))
        #expect(await order() == ["a", "b", "c", "d", "e"])
        #expect(plugins.all.map(\.name) == ["a", "b", "c", "d", "e"])
        try await plugins.move("a", to: .last)
        try await plugins.move("e", to: .before("b"))
        #expect(await order() == ["e", "b", "c", "d", "a"])
        try await plugins.move("b", to: .after("c"))
        try await plugins.move("c", to: .after("c"))
        try await plugins.move("d", to: .first)
        #expect(await order() == ["d", "e", "c", "b", "a"])
        #expect(plugins.all.map(\.handled) == [3, 3, 3, 3, 3])
    }

    @Test("after the reducers the last plugin comes first, whichever have an afterReduce")
    func mirrored() async throws {
        let store = makeStore()
        try await store.plugins.install(Spy(name: "a", log: log), as: "a")
        try await store.plugins.install(Ear(name: "b", log: log), as: "b")
        try await store.plugins.install(Spy(name: "c", log: log, hasIO: true), as: "c")
        try await store.plugins.install(Spy(name: "d", log: log, hasIO: true), as: "d")
        store.dispatch(1)
        #expect(
            log.all == [
                "a handle 1 0", "b 1", "c handle 1 0", "d handle 1 0", "d after 1 1", "c after 1 1", "a after 1 1",
                "d IO 1 1", "c IO 1 1",
            ]
        )
    }

    @Test("a taken or unknown name is an error that says so, and nothing happens")
    func errors() async throws {
        let store = makeStore()
        let plugins = store.plugins
        try await plugins.install(Ear(name: "a", log: log), as: "a")
        let unknown = PluginError.unknownName("x")
        await #expect(throws: PluginError.nameTaken("a")) {
            try await plugins.install(Ear(name: "b", log: log), as: "a")
        }
        await #expect(throws: unknown) { try await plugins.install(Ear(name: "b", log: log), as: "b", at: .after("x")) }
        await #expect(throws: unknown) { try await plugins.replace("x", with: Ear(name: "b", log: log)) }
        await #expect(throws: unknown) { try await plugins.move("x", to: .first) }
        await #expect(throws: unknown) { try await plugins.move("a", to: .before("x")) }
        await #expect(throws: unknown) { try await plugins.remove("x") }
        await #expect(throws: unknown) { try await plugins.enable("x") }
        await #expect(throws: unknown) { try await plugins.disable("x") }
        #expect("\(unknown)".contains("no plugin \"x\""))
        store.dispatch(1)
        #expect(log.all == ["a 1"])
        #expect(plugins.all.map(\.name) == ["a"])
    }

    @Test("a replacement leaves no gap, starts anew, and retires the old one", arguments: engines)
    func replacing(engine: StoreEngine) async throws {
        let store = makeStore(engine)
        let released = Recorder<String>()
        try await store.plugins.install(Ear(name: "first", log: log), as: "first")
        try await store.plugins.install(Keeper(Recorder(), released), as: "keeper")
        try await store.plugins.install(Ear(name: "last", log: log), as: "last")
        store.dispatch(1)
        try await store.plugins.replace("keeper", with: Ear(name: "new", log: log))
        #expect(released.all == ["cancelled", "released"])
        store.dispatch(2)
        await store.drain()
        #expect(log.all == ["first 1", "last 1", "first 2", "new 2", "last 2"])
        #expect(store.plugins["keeper"]?.handled == 1)
    }

    @Test("the replacement of a disabled plugin is disabled, until it is enabled", arguments: engines)
    func replacingDisabled(engine: StoreEngine) async throws {
        let store = makeStore(engine)
        try await store.plugins.install(Ear(name: "old", log: log), as: "ear")
        try await store.plugins.disable("ear")
        try await store.plugins.replace("ear", with: Ear(name: "new", log: log))
        #expect(store.plugins["ear"]?.isEnabled == false)
        store.dispatch(1)
        try await store.plugins.enable("ear")
        store.dispatch(2)
        await store.drain()
        #expect(log.all == ["new 2"])
    }

    @Test("one that is removed is cancelled and released, and what it dispatched is dropped", arguments: engines)
    func removing(engine: StoreEngine) async throws {
        let store = makeStore(engine)
        let outputs = Recorder<AnyActionHandler<Int>>()
        try await store.plugins.install(Keeper(outputs, log), as: "keeper")
        store.dispatch(1)
        await store.drain()
        outputs.all[0].dispatch(2)
        await store.drain()
        #expect(store.metrics.reduced == 2, "while it is installed it is heard")
        try await store.plugins.remove("keeper")
        #expect(log.all == ["cancelled", "released"])
        outputs.all[0].dispatch(3)
        await store.drain()
        #expect(store.state == 2)
        #expect(store.metrics.cancelled == 1)
        outputs.clear()
    }

    @Test("what a removed one has dispatched, and still waits, is dropped")
    func removingWaiting() async throws {
        let gate = DispatchSemaphore(value: 0)
        let entered = Shared(false)
        let store = makeStore(
            .thread(),
            Handle<Int, Int> { action, _, _ in
                if action == 9 {
                    entered.value = true
                    gate.wait()
                }
                return .pure()
            }
        )
        let outputs = Recorder<AnyActionHandler<Int>>()
        try await store.plugins.install(Keeper(outputs, log), as: "keeper")
        store.dispatch(1)
        await store.drain()
        store.dispatch(9)
        #expect(await eventually { entered.value })
        let removing = Task { try await store.plugins.remove("keeper") }
        #expect(await eventually { store.metrics.depth == 2 })
        outputs.all[0].dispatch(2)  // after the removal
        gate.signal()
        try await removing.value
        await store.drain()
        #expect(store.state == 2)
        #expect(store.metrics.cancelled == 1)
        outputs.clear()
    }

    @Test("one that is disabled sees nothing, keeps its place and its figures, and is heard", arguments: engines)
    func disabling(engine: StoreEngine) async throws {
        let store = makeStore(engine)
        let outputs = Recorder<AnyActionHandler<Int>>()
        let cancelled = Recorder<String>()
        try await store.plugins.install(Keeper(outputs, cancelled), as: "keeper")
        try await store.plugins.install(Spy(name: "spy", log: log), as: "spy")
        store.dispatch(1)
        for name: MiddlewareName in ["spy", "spy", "keeper"] { try await store.plugins.disable(name) }
        store.dispatch(2)
        outputs.all[0].dispatch(3)
        await store.drain()
        #expect(log.all == ["spy handle 1 0", "spy after 1 1"])
        #expect(cancelled.count == 0)
        #expect(store.state == 3)
        #expect(store.plugins.all.map(\.isEnabled) == [false, false])
        for name: MiddlewareName in ["spy", "spy", "keeper"] { try await store.plugins.enable(name) }
        store.dispatch(4)
        await store.drain()
        #expect(log.all.suffix(2) == ["spy handle 4 3", "spy after 4 4"])
        #expect(store.plugins.all.map(\.name) == ["keeper", "spy"])
        #expect(store.plugins.all.map(\.handled) == [2, 2])
        outputs.clear()
    }

    @Test("its figures: actions handled and IOs returned, to be read at any time, also after the end")
    func figures() async throws {
        let store = makeStore()
        try await store.plugins.install(Keeper(Recorder(), log), as: "keeper")
        for action in [1, 2, 1, 3, 3] { store.dispatch(action) }
        let plugin = try #require(store.plugins["keeper"])
        #expect(plugin.name == "keeper" && plugin.isEnabled && plugin.handled == 5 && plugin.ios == 2)
        #expect(store.plugins["other"] == nil)
        _ = await store.shutdown()
        #expect(store.plugins.all == [plugin])
        #expect(log.all == ["released"])
    }

    @Test("the probed loop sees the same plugins, each under its name", arguments: engines)
    func probe(engine: StoreEngine) async throws {
        final class Names: PipelineProbe {
            let names = Recorder<MiddlewareName>()

            func stageBegan(_ stage: PipelineStage) {
                if case .middleware(let name) = stage { names.record(name) }
            }
        }
        let store = makeStore(engine)
        let names = Names()
        try await store.plugins.install(Ear(name: "a", log: log), as: "first")
        try await store.plugins.install(Spy(name: "b", log: log, hasIO: true).named("inner"), as: "second")
        store.setProbe(names)
        store.dispatch(1)
        try await store.plugins.move("second", to: .first)
        store.dispatch(2)
        try await store.plugins.disable("first")
        store.dispatch(3)
        store.setProbe(nil)
        store.dispatch(4)
        await store.drain()
        #expect(names.names.all == ["first", "second", "inner", "second", "inner", "first", "second", "inner"])
        #expect(
            log.all.filter { $0.contains("after") || $0.contains("IO") }
                == (1...4).flatMap { ["b after \($0) \($0)", "b IO \($0) \($0)"] }
        )
        #expect(store.plugins.all.map(\.handled) == [4, 2])
        #expect(store.plugins["second"]?.ios == 4)
    }

    @Test("a plugin that is stuck is named in the report", arguments: [StuckHandler.Stage.handling, .effects])
    func stuck(stage: StuckHandler.Stage) async throws {
        let gate = DispatchSemaphore(value: 0)
        let entered = Shared(false)
        let stick: @Sendable () -> Void = {
            entered.value = true
            gate.wait()
        }
        let store = makeStore(.thread(), IdentityMiddleware<Int, Int, Int>().named("own"))
        try await store.plugins.install(Ear(name: "a", log: log), as: "innocent")
        try await store.plugins.install(
            Handle<Int, Int> { _, _, _ in
                if stage == .effects { return IO { _ in stick() } }
                stick()
                return .pure()
            },
            as: "culprit"
        )
        store.dispatch(1)
        #expect(await eventually { entered.value })
        let report = await store.shutdown(deadline: .milliseconds(20))
        #expect(report.stuckHandler?.middleware == "culprit")
        #expect(report.stuckHandler?.stage == stage)
        gate.signal()
        #expect(await store.shutdown(deadline: .seconds(60)).isComplete)
    }

    @Test("a closed store changes no more, and releases its plugins", arguments: engines)
    func closed(engine: StoreEngine) async throws {
        let store = makeStore(engine)
        try await store.plugins.install(Keeper(Recorder(), log), as: "keeper")
        store.dispatch(1)
        _ = await store.shutdown(deadline: .seconds(60))
        #expect(log.all == ["released"])
        await #expect(throws: PluginError.storeClosed) { try await store.plugins.remove("keeper") }
        await #expect(throws: PluginError.storeClosed) {
            try await store.plugins.install(Ear(name: "a", log: log), as: "a")
        }
        #expect("\(PluginError.storeClosed)".contains("closed"))
    }

    @Test("releasing the store releases its plugins, also those that keep outputs", arguments: engines)
    func release(engine: StoreEngine) async throws {
        final class Hoarder: MiddlewareProtocol, Sendable {
            let outputs = Recorder<AnyActionHandler<Int>>()
            let log: Recorder<String>

            init(_ log: Recorder<String>) { self.log = log }

            deinit { log.record("released") }

            func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
                IO { [outputs] output in outputs.record(output) }
            }
        }
        var store: ReduxStoreBase<Int, Int>? = makeStore(engine)
        try await store?.plugins.install(Hoarder(log), as: "hoarder")
        store?.dispatch(1)
        store = nil
        #expect(await eventually { log.all == ["released"] })
    }

    @Test("a plugin may change the plugins, from a task that it starts")
    func fromInside() async throws {
        let store = makeStore()
        let removed = Shared(false)
        let plugins = store.plugins
        try await plugins.install(
            Handle<Int, Int> { _, _, _ in
                IO { _ in
                    Task {
                        try await plugins.remove("itself")
                        removed.value = true
                    }
                }
            },
            as: "itself"
        )
        store.dispatch(1)
        #expect(await eventually { removed.value })
        #expect(plugins.all == [])
    }

    @Test("a lifted plugin is bound to the state, and stores on subjects and pipelines have plugins, too")
    @MainActor
    func subjects() async throws {
        struct State: Sendable { var count = 0 }
        let reducer = Reducer<Int, State>.reduce { action, state in state.count += action }
        let spy = Spy(name: "spy", log: log).lift(state: \State.count)
        let store = ReduxStoreBase(
            subject: .native(initialValue: State()),
            reducer: reducer,
            middleware: IdentityMiddleware<Int, Int, State>()
        )
        try await store.plugins.install(spy, as: "spy")
        store.dispatch(5)
        #expect(log.all == ["spy handle 5 0", "spy after 5 5"])
        log.clear()
        let subject = UnfailableReplayLastSubjectType<State>.native(initialValue: State(count: 1))
        let pipeline = ReduxPipelineWrapper(
            state: { subject },
            reducer: reducer,
            middleware: IdentityMiddleware<Int, Int, State>(),
            emitsValue: .always
        )
        try await pipeline.plugins.install(spy, as: "spy")
        pipeline.dispatch(6)
        #expect(log.all == ["spy handle 6 1", "spy after 6 7"])
    }

    @Test("each shard has plugins of its own")
    func shards() async throws {
        let store = ShardedStore(
            shards: 2,
            by: { (action: Int) in action },
            initialState: { _ in 0 },
            reducer: counting(Int.self),
            middleware: { _ in IdentityMiddleware<Int, Int, Int>() }
        )
        for shard in store.shards {
            try await shard.plugins.install(Ear(name: "ear", log: log), as: "ear")
        }
        for action in 0..<100 { store.dispatch(action) }
        await store.drain()
        #expect(log.count == 100)
        #expect(store.shards.reduce(0) { $0 + ($1.plugins["ear"]?.handled ?? 0) } == 100)
    }
}

extension PluginTests.Wrapper: Sendable where Base: Sendable {}
