// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

/// A probe is told of the copies that the reader of a binding makes, in the actions that are checked.
@Suite("Copies by readers", .timeLimit(.minutes(5)))
struct ReaderCopyTests {
    struct World: Sendable {
        var count = 0
        var items = [1: 1]
    }

    /// Reads with the reader of its binding, in `handle` and in an IO.
    struct Reading<State>: MiddlewareProtocol {
        typealias StateType = State

        var reader: StateReader<State>?

        mutating func bind(_ binding: MiddlewareBinding<Int, State>) { reader = binding.state }

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Int> {
            let reader = reader
            _ = reader?()
            reader?.withState { _ in }
            return IO { _ in _ = reader?() }
        }
    }

    /// Reads with readers of parts, made from the reader of its binding.
    struct ReadingParts: MiddlewareProtocol {
        var byClosure: StateReader<Int>?
        var byPath: StateReader<Int>?

        mutating func bind(_ binding: MiddlewareBinding<Int, World>) {
            byClosure = binding.state.map { $0.count + 1 }
            byPath = binding.state.map(\.count)
        }

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<World>) -> IO<Int> {
            _ = byClosure?()
            let byPath = byPath
            return IO { _ in _ = byPath?() }
        }
    }

    /// Reads after the reducers.
    struct ReadingLater: MiddlewareProtocol {
        var reader: StateReader<World>?

        mutating func bind(_ binding: MiddlewareBinding<Int, World>) { reader = binding.state }

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<World>) -> IO<Int> { .pure() }

        func afterReduce(
            action: Int,
            from dispatcher: ActionSource,
            state: @escaping GetState<World>,
            output: AnyActionHandler<Int>
        ) {
            _ = reader?()
        }
    }

    /// Reads with the getter that `afterReduce` receives.
    struct GettingLater: MiddlewareProtocol {
        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<World>) -> IO<Int> { .pure() }

        func afterReduce(
            action: Int,
            from dispatcher: ActionSource,
            state: @escaping GetState<World>,
            output: AnyActionHandler<Int>
        ) {
            _ = state()
        }
    }

    private func makeStore<M: MiddlewareProtocol<Int, Int, World>>(
        _ middleware: sending M
    ) -> ReduxStoreBase<Int, World> {
        ReduxStoreBase(
            initialState: World(),
            reducer: .reduce { _, world in world.count += 1 },
            middleware: middleware,
            engine: .caller,
            publication: .onDemand
        )
    }

    /// Returns what a probe is told of copies in the next action.
    private func copies(_ store: ReduxStoreBase<Int, World>) -> [String] {
        let log = CopyCheckTests.Log(every: 1)
        store.setProbe(log)
        store.dispatch(1)
        return log.lines.all.filter { $0.contains(" in ") }
    }

    @Test("told under the name that the reader was bound with; a lent state is no copy, nor is one without a name")
    func named() {
        let store = makeStore(Reading<World>().named("first") <> Reading<World>() <> Reading<World>().named("last"))
        #expect(copies(store) == ["first in handle", "last in handle", "last in its IO", "first in its IO"])
    }

    @Test("only in the actions that the probe asks for")
    func asked() {
        let store = makeStore(Reading<World>().named("reading"))
        let log = CopyCheckTests.Log(every: 2)
        store.setProbe(log)
        store.dispatch(1)
        #expect(!log.lines.all.contains { $0.contains(" in ") })
        store.dispatch(1)
        #expect(log.lines.all.filter { $0.contains(" in ") } == ["reading in handle", "reading in its IO"])
    }

    @Test("inside lifts by closure and by key path, and inside a lift to an element")
    func lifted() {
        let byClosure = Reading<Int>().lift(state: { (world: World) in world.count + 1 })
        let byPath = Reading<Int>().lift(statePath: \World.count)
        let toElement = Reading<Int>()
            .liftToDictionary(
                inputAction: { (action: Int) in ElementIDAction(id: 1, action: action) },
                outputAction: { $0.action },
                state: \World.items
            )
        #expect(copies(makeStore(byClosure.named("closure"))) == ["closure in handle", "closure in its IO"])
        #expect(copies(makeStore(byPath.named("path"))) == ["path in handle", "path in its IO"])
        #expect(copies(makeStore(toElement.named("element"))) == ["element in handle", "element in its IO"])
    }

    @Test("by readers of parts, which the middleware makes itself")
    func parts() {
        #expect(copies(makeStore(ReadingParts().named("parts"))) == ["parts in handle", "parts in its IO"])
    }

    @Test("of two names the innermost; afterReduce counts as an IO")
    func innermost() {
        let store = makeStore((Reading<World>().named("inner") <> ReadingLater()).named("outer"))
        #expect(copies(store) == ["inner in handle", "outer in its IO", "inner in its IO"])
    }

    @Test("the getter of afterReduce, for each name around it, and only in the actions that the probe asks for")
    func getterOfAfterReduce() {
        let store = makeStore((GettingLater().named("inner") <> GettingLater()).named("outer"))
        let log = CopyCheckTests.Log(every: 2)
        store.setProbe(log)
        store.dispatch(1)
        #expect(!log.lines.all.contains { $0.contains(" in ") })
        store.dispatch(1)
        #expect(
            log.lines.all.filter { $0.contains(" in ") } == ["outer in its IO", "inner in its IO", "outer in its IO"]
        )
    }

    @Test("a plugin under its name")
    func plugin() async throws {
        let store = makeStore(IdentityMiddleware<Int, Int, World>())
        try await store.plugins.install(Reading<World>(), as: "plugin")
        #expect(copies(store) == ["plugin in handle", "plugin in its IO"])
    }

    @Test("a store inside another one's checked action is not told as the other one's")
    func twoStores() {
        let inner = makeStore(Reading<World>().named("inner"))
        let outer = makeStore(
            Handle<Int, World> { action, _, _ in IO { _ in inner.dispatch(action) } }.named("outer")
                <> Reading<World>().named("reading")
        )
        #expect(copies(outer) == ["reading in handle", "reading in its IO"])
    }
}
