// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

private enum SearchAction: Equatable, Sendable {
    case typed(String)
    case found([String])
    case failed(String)
    case left
    case opened
}

private struct SearchState: Equatable, Sendable {
    var text = ""
    var found: [String] = []
}

/// What the effects need.
private struct Library: Sendable {
    var search: @Sendable (String) -> AnyPublisher<[String], ServiceError>
    var track: @Sendable (String) -> Void
}

private let searchReducer = Reducer<SearchAction, SearchState>.reduce { action, state in
    switch action {
    case .typed(let text): state.text = text
    case .found(let titles): state.found = titles
    case .left: state = SearchState()
    case .failed, .opened: break
    }
}

private typealias SearchMiddleware<Dependencies> = EffectMiddleware<
    SearchAction, SearchAction, SearchState, Dependencies
>

/// Search as you type: the token replaces what still runs, leaving cancels it.
private let searchMiddleware = SearchMiddleware<Library>.onAction { action, dispatcher, state in
    switch action {
    case .typed:
        let text = state().text
        return Effect(token: "search") { context -> AnyPublisher<DispatchedAction<SearchAction>, Never> in
            context.dependencies.search(text)
                .map { titles in SearchAction.found(titles) }
                .catch { error in Just(SearchAction.failed("\(error)")) }
                .map { action in DispatchedAction(action, dispatcher: dispatcher) }
                .eraseToAnyPublisher()
        }
    case .left:
        return .toCancel("search")
    case .opened:
        return .fireAndForget { context in context.dependencies.track("opened") }
    case .found, .failed:
        return .doNothing
    }
}

/// Effects, in every form in which an app makes them.
@Suite("Readme: effect middleware", .timeLimit(.minutes(5)))
struct EffectMiddlewareTests {
    private func store<M: MiddlewareProtocol>(_ middleware: sending M) -> ReduxStoreBase<SearchAction, SearchState>
    where M.InputActionType == SearchAction, M.OutputActionType == SearchAction, M.StateType == SearchState {
        ReduxStoreBase(
            initialState: SearchState(),
            reducer: searchReducer,
            middleware: middleware,
            engine: .caller,
            publication: .everyAction
        )
    }

    @Test("publishers with dependencies: the newest search wins, leaving cancels, errors become actions")
    func searchAsYouType() {
        let subjects = Shared<[String: Held]>([:])
        let tracked = Recorder<String>()
        let library = Library(
            search: { text in
                let subject = PassthroughSubject<[String], ServiceError>()
                subjects.update { $0[text] = Held(subject: subject) }
                return subject.eraseToAnyPublisher()
            },
            track: { tracked.record($0) }
        )
        let store = store(searchMiddleware.inject(library))
        store.dispatch(.opened)
        store.dispatch(.typed("fau"))
        store.dispatch(.typed("faust"))
        subjects.value["fau"]?.subject.send(["Faun"])
        #expect(store.state.found == [])
        subjects.value["faust"]?.subject.send(["Faust"])
        #expect(store.state.found == ["Faust"])
        store.dispatch(.left)
        subjects.value["faust"]?.subject.send(["Faust II"])
        #expect(store.state == SearchState())
        store.dispatch(.typed("x"))
        subjects.value["x"]?.subject.send(completion: .failure(.offline))
        #expect(tracked.all == ["opened"])
        #expect(store.metrics.reduced == 7)
    }

    private struct Held: @unchecked Sendable {
        // Unchecked: a subject is made to be shared.
        let subject: PassthroughSubject<[String], ServiceError>
    }

    @Test("a promise: one action, by a callback, cancelled by its token")
    func promise() {
        let answers = Shared<[@Sendable (SearchAction) -> Void]>([])
        let middleware = SearchMiddleware<Void>.onAction { action, _, _ in
            switch action {
            case .typed: .promise(token: "call") { _, answer in answers.update { $0.append(answer) } }
            case .left: .toCancel("call")
            default: .doNothing
            }
        }
        let store = store(middleware)
        store.dispatch(.typed("a"))
        answers.value[0](.found(["a"]))
        answers.value[0](.found(["again"]))
        #expect(store.state.found == ["a"])
        store.dispatch(.typed("b"))
        store.dispatch(.left)
        answers.value[1](.found(["b"]))
        #expect(store.state.found == [])
    }

    @Test("async work, without a publisher")
    func task() async {
        let middleware = SearchMiddleware<@Sendable (String) async -> [String]>.onAction { action, _, state in
            guard case .typed(let text) = action else { return .doNothing }
            return .task(token: "search") { context in .found(await context.dependencies(text)) }
        }
        let store = store(middleware.inject { text in [text, text] })
        let found = AsyncStream<[String]>.makeStream()
        let subscription = store.statePublisher.sink { @Sendable state in
            if !state.found.isEmpty { found.continuation.yield(state.found) }
        }
        store.dispatch(.typed("m"))
        for await titles in found.stream {
            #expect(titles == ["m", "m"])
            break
        }
        subscription.cancel()
    }

    @Test("values, sequences, asEffect and doNothing; sources are the lines that name them")
    func values() {
        let sources = Recorder<UInt>()
        let line = UInt(#line) + 3
        let middleware = SearchMiddleware<Void>.onAction { action, dispatcher, _ in
            switch action {
            case .opened: .just(.typed("just"))
            case .typed("just"): .sequence(.typed("one"), .typed("two"))
            case .typed("two"): [SearchAction.found(["last"])].publisher.asEffect(dispatcher: dispatcher)
            default: .doNothing
            }
        }
        let log = AnyMiddleware<SearchAction, SearchAction, SearchState> { _, dispatcher, _ in
            sources.record(dispatcher.line)
            return .pure()
        }
        let store = store(log <> middleware)
        store.dispatch(.opened)
        #expect(sources.all.dropFirst() == [line, line + 1, line + 1, line + 1])
        #expect(store.state == SearchState(text: "two", found: ["last"]))
    }

    @Test("a chain after a cancellation, by the context's toCancel")
    func appending() {
        let cancelled = Shared(false)
        let middleware = SearchMiddleware<Void>.onAction { action, dispatcher, _ in
            switch action {
            case .opened:
                Effect(token: "watch") { (_: Effect<Void, SearchAction>.Context) in
                    Empty<DispatchedAction<SearchAction>, Never>(completeImmediately: false)
                        .handleEvents(receiveCancel: { cancelled.value = true })
                }
            case .left:
                Effect { context in
                    context.toCancel("watch").append(Just(DispatchedAction(.found(["gone"]), dispatcher: dispatcher)))
                }
            default:
                .doNothing
            }
        }
        let store = store(middleware)
        store.dispatch(.opened)
        #expect(middleware.runningEffects == 1)
        store.dispatch(.left)
        #expect(cancelled.value)
        #expect(store.state.found == ["gone"])
    }

    @Test("fire and forget of a publisher, its failure as an action; effects mapped and given dependencies later")
    func forgetting() {
        let sent = Recorder<Int>()
        let plain: Effect<Void, String> = .just("found")
        let middleware = SearchMiddleware<Int>.onAction { action, dispatcher, _ in
            switch action {
            case .opened: .fireAndForget { _ in [1, 2].publisher.handleEvents(receiveOutput: { sent.record($0) }) }
            case .left:
                .fireAndForget(
                    { _ in Fail<Int, ServiceError>(error: .offline) },
                    catchErrors: { DispatchedAction(.failed("\($0)"), dispatcher: dispatcher) }
                )
            case .failed: plain.map { SearchAction.found([$0]) }.ignoringDependencies()
            default: .doNothing
            }
        }
        let store = store(middleware.inject(1))
        store.dispatch(.opened)
        #expect(sent.all == [1, 2])
        store.dispatch(.left)
        #expect(store.state.found == ["found"])
    }

    @Test("lifted and composed, as middlewares and as readers")
    func lifted() {
        struct AppState: Equatable, Sendable {
            var search = SearchState()
        }
        enum AppAction: Equatable, Sendable {
            case search(SearchAction)

            var search: SearchAction? {
                get { if case .search(let action) = self { action } else { nil } }
                set { if let newValue { self = .search(newValue) } }
            }
        }
        let middleware = SearchMiddleware<Void>.onAction { action, _, state in
            guard case .typed = action else { return .doNothing }
            return .just(.found([state().text]))
        }
        let byAxes: EffectMiddleware<AppAction, AppAction, AppState, Void> = middleware.lift(
            inputAction: \.search,
            outputAction: AppAction.search,
            state: \.search
        )
        let byPaths = middleware.lift(action: \AppAction.search, state: \AppState.search)
        let reader = searchMiddleware.lift(
            inputAction: { (action: AppAction) in action.search },
            outputAction: AppAction.search,
            state: { (state: AppState) in state.search },
            dependencies: { (world: World) in Library(search: { _ in Empty().eraseToAnyPublisher() }, track: world.log)
            }
        )
        let store = ReduxStoreBase(
            initialState: AppState(),
            reducer: searchReducer.lift(action: \AppAction.search, state: \AppState.search),
            middleware: (byAxes <> byPaths) <> reader.inject(.test()),
            engine: .caller,
            publication: .everyAction
        )
        store.dispatch(.search(.typed("a")))
        #expect(store.state.search == SearchState(text: "a", found: ["a"]))
        #expect(store.metrics.reduced == 3)
    }
}
