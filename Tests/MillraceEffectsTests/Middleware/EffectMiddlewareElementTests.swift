// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import Millrace
import MillraceCore
import MillraceEffects
import TestSupport
import Testing

@Suite("EffectMiddleware: elements, key paths, readers")
struct EffectMiddlewareElementTests {
    struct Todo: Identifiable, Sendable, Equatable {
        let id: Int
        var text = "new"
    }

    struct AppState: Sendable {
        var todos = [Todo(id: 1), Todo(id: 2)]
    }

    struct AppAction: Sendable, Equatable {
        var todo: ElementIDAction<Int, String>?
        var isEcho = false

        /// A path that reads, and never takes what it is given.
        var stubborn: String? {
            get { todo?.action }
            set {}
        }
    }

    private func sent(_ id: Int, _ action: String) -> AppAction {
        AppAction(todo: ElementIDAction(id: id, action: action))
    }

    private func lifts(
        _ base: EffectMiddleware<String, String, Todo, Void>,
        vanished: VanishedElement = .skip
    ) -> [EffectMiddleware<AppAction, AppAction, AppState, Void>] {
        let output: @Sendable (ElementIDAction<Int, String>) -> AppAction = { AppAction(todo: $0) }
        return [
            base.liftToCollection(
                inputAction: \.todo,
                outputAction: output,
                stateCollection: \.todos,
                vanished: vanished
            ),
            base.liftToCollection(inputAction: \.todo, outputAction: output, state: \.todos, vanished: vanished),
            base.liftToCollection(action: \.todo, stateCollection: \.todos, vanished: vanished),
        ]
    }

    private func store(
        _ middleware: EffectMiddleware<AppAction, AppAction, AppState, Void>
    ) -> (ReduxStoreBase<AppAction, AppState>, Recorder<AppAction>) {
        let log = Recorder<AppAction>()
        let reducer = Reducer<AppAction, AppState>.reduce { action, state in
            log.record(action)
            guard let todo = action.todo, let index = state.todos.firstIndex(where: { $0.id == todo.id }) else {
                return
            }
            if todo.action == "remove" {
                state.todos.remove(at: index)
            } else {
                state.todos[index].text = todo.action
            }
        }
        return (
            ReduxStoreBase(initialState: AppState(), reducer: reducer, middleware: middleware, engine: .caller), log
        )
    }

    @Test("A18: the same token in two elements is two tokens; one element's own is replaced and cancelled")
    func a18_elementTokens() {
        for index in 0..<3 {
            let log = Recorder<String>()
            let base = EffectMiddleware<String, String, Todo, Void>.onAction { action, _, todo in
                let name = "\(action) \(todo().id)"
                if action == "stop" { return .toCancel("load") }
                return Effect(token: "load") { _, sink in
                    log.record("start \(name)")
                    sink.onCancel { log.record("cancel \(name)") }
                }
            }
            let middleware = lifts(base)[index]
            let (store, _) = store(middleware)
            store.dispatch(sent(1, "a"))
            store.dispatch(sent(2, "b"))
            #expect(log.all == ["start a 1", "start b 2"])
            store.dispatch(sent(1, "c"))
            store.dispatch(sent(2, "stop"))
            #expect(log.all.dropFirst(2) == ["start c 1", "cancel a 1", "cancel b 2"])
            #expect(middleware.runningEffects == 1)
        }
    }

    /// Keys that all have the same hash.
    private struct Key: Hashable, Sendable {
        var number: Int

        func hash(into hasher: inout Hasher) { hasher.combine(0) }
    }

    @Test("the same token under two keys is two tokens, also if the keys share their hash")
    func keysWithOneHash() {
        let log = Recorder<String>()
        let base = EffectMiddleware<String, String, Int, Void>.onAction { action, _, value in
            let name = "\(action) \(value())"
            return Effect(token: "load") { _, sink in
                log.record("start \(name)")
                sink.onCancel { log.record("cancel \(name)") }
            }
        }
        let middleware: EffectMiddleware<ElementIDAction<Key, String>, String, [Key: Int], Void> =
            base.liftToDictionary(inputAction: { $0 }, outputAction: { $0.action }, state: { $0 })
        let store = ReduxStoreBase(
            initialState: [Key(number: 1): 1, Key(number: 2): 2],
            reducer: Reducer<ElementIDAction<Key, String>, [Key: Int]>.identity,
            middleware: middleware.lift(outputAction: { ElementIDAction(id: Key(number: 0), action: $0) }),
            engine: .caller
        )
        store.dispatch(ElementIDAction(id: Key(number: 1), action: "a"))
        store.dispatch(ElementIDAction(id: Key(number: 2), action: "b"))
        #expect(log.all == ["start a 1", "start b 2"])
        store.dispatch(ElementIDAction(id: Key(number: 1), action: "c"))
        #expect(log.all.dropFirst(2) == ["start c 1", "cancel a 1"])
    }

    @Test("in a dictionary, too, the same token under two keys is two tokens; removing an entry skips the effect")
    func dictionaryTokens() {
        typealias Table = [String: Int]
        struct TableAction: Sendable, Equatable { var entry: ElementIDAction<String, String>? }
        let log = Recorder<String>()
        let base = EffectMiddleware<String, String, Int, Void>.onAction { action, _, value in
            let name = "\(action) \(value())"
            if action == "stop" { return .toCancel("load") }
            return Effect(token: "load") { _, sink in
                log.record("start \(name)")
                sink.onCancel { log.record("cancel \(name)") }
            }
        }
        let lifts: [EffectMiddleware<TableAction, TableAction, Table, Void>] = [
            base.liftToDictionary(inputAction: \.entry, outputAction: { TableAction(entry: $0) }, state: { $0 }),
            base.liftToDictionary(action: \.entry, stateDictionary: \.self),
        ]
        for middleware in lifts {
            log.clear()
            let store = ReduxStoreBase(
                initialState: ["one": 1, "two": 2],
                reducer: Reducer<TableAction, Table>.reduce { action, table in
                    if let entry = action.entry, entry.action == "remove" { table[entry.id] = nil }
                },
                middleware: middleware,
                engine: .caller
            )
            let send = { (id: String, action: String) in
                store.dispatch(TableAction(entry: ElementIDAction(id: id, action: action)))
            }
            send("one", "a")
            send("two", "b")
            send("three", "absent")
            #expect(log.all == ["start a 1", "start b 2"])
            send("one", "c")
            send("two", "stop")
            #expect(log.all.dropFirst(2) == ["start c 1", "cancel a 1", "cancel b 2"])
            send("one", "remove")
            #expect(log.count == 5 && store.metrics.vanished == 1)
            #expect(middleware.runningEffects == 1)
            middleware.cancel { $0.elements == ["one"] }
            #expect(middleware.runningEffects == 0)
        }
    }

    @Test(
        "A17: absent before the reducers: nothing; gone after them: .snapshot as it was before, by default skipped",
        arguments: [VanishedElement.skip, .snapshot]
    )
    func a17_vanishing(vanished: VanishedElement) {
        for index in 0..<3 {
            let seen = Recorder<String>()
            let base = EffectMiddleware<String, String, Todo, Void>.onAction { action, source, todo in
                seen.record("\(action) \(todo().text)")
                return action == "done" ? .doNothing : .just("done", from: source)
            }
            let (store, log) = store(lifts(base, vanished: vanished)[index])
            store.dispatch(sent(7, "absent"))
            #expect(seen.all.isEmpty)
            store.dispatch(sent(1, "changed"))
            #expect(seen.all == ["changed changed", "done done"])
            store.dispatch(sent(1, "remove"))
            #expect(seen.all.dropFirst(2) == (vanished == .snapshot ? ["remove done"] : []))
            #expect(log.all.last == sent(1, vanished == .snapshot ? "done" : "remove"))
            #expect(store.metrics.vanished == (vanished == .snapshot ? 0 : 1))
            #expect(store.state.todos == [Todo(id: 2)])
        }
    }

    @Test("an element that vanishes inside another element's lift is counted, once, whichever lift finds it gone")
    func vanishingInside() {
        struct List: Identifiable, Sendable {
            let id: Int
            var todos = [Todo(id: 1), Todo(id: 2)]
        }
        typealias ListAction = ElementIDAction<Int, ElementIDAction<Int, String>>
        let seen = Recorder<String>()
        let middleware = EffectMiddleware<String, String, Todo, Void>.onAction { action, _, _ in
            seen.record(action)
            return .doNothing
        }
        .liftToCollection(
            inputAction: { (action: ElementIDAction<Int, String>) in action },
            outputAction: { $0 },
            stateCollection: { (list: List) in list.todos }
        )
        .named("todos")
        .liftToCollection(
            inputAction: { (action: ListAction) in action },
            outputAction: { $0 },
            state: { (lists: [List]) in lists }
        )
        let reducer = Reducer<ListAction, [List]>.reduce { action, lists in
            switch action.action.action {
            case "remove": lists[0].todos.removeAll { $0.id == action.action.id }
            case "remove all": lists = []
            default: break
            }
        }
        let store = ReduxStoreBase(
            initialState: [List(id: 7)],
            reducer: reducer,
            middleware: middleware,
            engine: .caller
        )
        var counts: [UInt64] = []
        for (id, action) in [(1, "touch"), (1, "remove"), (1, "remove"), (2, "remove all")] {
            store.dispatch(ListAction(id: 7, action: ElementIDAction(id: id, action: action)))
            counts.append(store.metrics.vanished)
        }
        #expect(seen.all == ["touch"])
        #expect(counts == [0, 1, 1, 2])
    }

    @Test("a lift and a composition around an element's middleware keep the order of effects")
    func composed() {
        let output = Output<AppAction>()
        let base = EffectMiddleware<String, String, Todo, Void>.onAction { action, _, _ in .just("\(action)!") }
        let flat = EffectMiddleware<AppAction, AppAction, AppState, Void>.onAction { _, _, _ in .just(AppAction()) }
        let middleware = (lifts(base)[0] <> flat <> lifts(base)[2]).lift(inputAction: { (text: String) in
            text.isEmpty ? nil : AppAction(todo: ElementIDAction(id: 2, action: text))
        })
        for text in ["", "x"] {
            let io = middleware.handle(action: text, from: .here(), state: { AppState() })
            io.run(output.handler)
        }
        #expect(output.actions == [sent(2, "x!"), AppAction(), sent(2, "x!")])
    }

    @Test("the key-path lift writes into the answered action, and drops what the path does not take")
    func byKeyPath() {
        struct Both: Sendable, Equatable {
            var part: Int?
            var other = 3
        }
        let source = ActionSource.here()
        let base = EffectMiddleware<Int, Int, Int, Void>.onAction { action, source, state in
            .just(action + state(), from: source)
        }
        let output = Output<Both>()
        let lifted = base.lift(action: \Both.part, state: \(whole: Int, rest: Int).whole)
        for action in [Both(part: nil), Both(part: 4, other: 8)] {
            lifted.handle(action: action, from: source, state: { (whole: 10, rest: 0) }).run(output.handler)
        }
        #expect(output.dispatched.all == [DispatchedAction(Both(part: 14, other: 8), dispatcher: source)])

        let echo = EffectMiddleware<String, String, AppState, Void>.onAction { action, _, _ in .just("\(action)!") }
            .lift(action: \AppAction.stubborn, state: \AppState.self)
        let echoes = Output<AppAction>()
        echo.handle(action: sent(1, "a"), from: source, state: { AppState() }).run(echoes.handler)
        #expect(echoes.actions.isEmpty)
    }

    @Test("a reader makes a middleware of its own at each injection; composed readers get one world")
    func reader() {
        typealias Middleware = EffectMiddleware<Int, String, Int, String>
        let hand = Hand()
        let a: MiddlewareReader<String, Middleware> = Middleware.onAction { _, _, _ in .just { "a \($0.dependencies)" }
        }
        let b = Middleware.onAction { _, _, _ in .just { "b \($0.dependencies)" } }
        let output = Output<String>()
        let both: MiddlewareReader<String, Middleware> = a <> b
        both.inject("world").run(0, output)
        #expect(output.actions == ["a world", "b world"])

        let running = EffectMiddleware<Int, Int, Int, String>.onAction { _, _, _ in hand.effect("x", token: "t") }
        let (first, second) = (running.inject(""), running.inject(""))
        first.run(0, Output())
        second.run(0, Output())
        #expect(hand.log.all == ["start x", "start x"])
        #expect(first.runningEffects == 1)
    }

    @Test("a reader of an effect middleware is lifted to the elements of a collection")
    func readerToCollection() {
        let reader = EffectMiddleware<String, String, Todo, String>.onAction { action, _, _ in
            .just { "\(action) \($0.dependencies)" }
        }
        let lifted = [
            reader.liftToCollection(
                inputAction: \AppAction.todo,
                outputAction: { AppAction(todo: $0) },
                stateCollection: { (state: AppState) in state.todos }
            ),
            reader.liftToCollection(action: \AppAction.todo, stateCollection: \AppState.todos),
        ]
        for reader in lifted {
            let output = Output<AppAction>()
            reader.inject("w").handle(action: sent(2, "x"), from: .here(), state: { AppState() }).run(output.handler)
            #expect(output.actions == [sent(2, "x w")])
        }
    }
}
