// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private typealias Bridge = BridgeMiddleware<AppAction, AppAction, AppState>

extension AuthAction {
    fileprivate var logIn: String? {
        if case .logIn(let name) = self { name } else { nil }
    }

    fileprivate var logOut: Void? {
        if case .logOut = self { () } else { nil }
    }
}

@Suite("BridgeMiddleware")
struct BridgeMiddlewareTests {
    private let reducer = authReducer.lift(action: \AppAction.auth, state: \AppState.auth)

    /// Returns what the bridge dispatches for an action: first unbound, then bound to a state.
    private func outputs(
        _ bridge: Bridge,
        _ action: AppAction,
        from source: ActionSource = .a,
        state: AppState = AppState()
    ) -> [[SinkSpy<AppAction>.Entry]] {
        let live = Shared(state)
        return unboundAndBound(bridge, state: live).map { bridge in
            live.value = state
            let sink = SinkSpy<AppAction>()
            cycle(bridge, action, from: source, state: live, reducer: reducer, output: sink)
            return sink.log.all
        }
    }

    private func actions(_ bridge: Bridge, _ action: AppAction, state: AppState = AppState()) -> [[AppAction]] {
        outputs(bridge, action, state: state).map { $0.map(\.action) }
    }

    @Test("every rule that applies dispatches, in written order; others do not")
    func order() {
        let bridge = Bridge()
            .bridge(on: \.auth?.logIn, dispatch: { name in .list(.append(name.count)) })
            .bridge { action in action == .tick ? .list(.clear) : nil }
            .bridge(on: \.auth?.logOut, dispatch: .tick)
            .bridge { action in action.auth == nil ? nil : .list(.append(0)) }
            .bridge(on: \.auth?.logIn, dispatch: { _ in nil })
        for actions in actions(bridge, .auth(.logIn("abc"))) {
            #expect(actions == [.list(.append(3)), .list(.append(0))])
        }
        for actions in actions(bridge, .auth(.logOut)) { #expect(actions == [.tick, .list(.append(0))]) }
        for actions in actions(bridge, .tick) { #expect(actions == [.list(.clear)]) }
        for actions in actions(bridge, .list(.clear)) { #expect(actions == []) }
    }

    @Test("a key path from a variable works like a key path literal")
    func keyPathValues() {
        let logIn: KeyPath<AppAction, String?> = \.auth?.logIn
        let logOut: KeyPath<AppAction, Void?> = \.auth?.logOut
        let bridge = Bridge()
            .bridge(on: logIn, dispatch: { name in .list(.append(name.count)) }, when: { $0.list.isEmpty })
            .bridge(on: logOut, dispatch: .tick, file: "App/Routes.swift", line: 7)
        for actions in actions(bridge, .auth(.logIn("abc"))) { #expect(actions == [.list(.append(3))]) }
        for outputs in outputs(bridge, .auth(.logOut)) {
            #expect(outputs.map(\.action) == [.tick])
            #expect(outputs.map(\.source.info) == ["bridged at App/Routes.swift:7"])
        }
        for actions in actions(bridge, .tick) { #expect(actions == []) }
    }

    @Test("predicates and the closures of `bridgeWithState` see the state after the reducers")
    func stateAfterwards() {
        let bridge = Bridge()
            .bridge(on: \.auth?.logIn, dispatch: { _ in .tick }, when: { $0.auth.user == "after" })
            .bridge({ _ in .list(.clear) }, when: { $0.auth.user == "before" })
            .bridge(on: \.auth?.logIn, dispatch: { _ in .tick }, when: \.list.isEmpty)
            .bridgeWithState { _, state in .list(.append(state.auth.visits)) }
            .bridgeWithState({ _, state in .list(.append(100 + state.auth.visits)) }, when: { $0.auth.user == "after" })
        let before = AppState(auth: AuthState(user: "before", visits: 4))
        for actions in actions(bridge, .auth(.logIn("after")), state: before) {
            #expect(actions == [.tick, .tick, .list(.append(5)), .list(.append(105))])
        }
        for actions in actions(bridge, .tick, state: before) {
            #expect(actions == [.list(.clear), .list(.append(4))])
        }
    }

    @Test("the predicate is asked only about actions that are mapped")
    func lazyPredicate() {
        let log = Recorder<AppState>()
        let bridge = Bridge().bridge(
            on: \.auth?.logOut,
            dispatch: .tick,
            when: { state in
                log.record(state)
                return false
            }
        )
        for actions in actions(bridge, .tick) { #expect(actions == []) }
        #expect(log.count == 0)
        for actions in actions(bridge, .auth(.logOut)) { #expect(actions == []) }
        #expect(log.count == 2)
    }

    @Test("the source is that of the action; its info ends with the place of the rule, once")
    func sources() {
        let bridge = Bridge().bridge({ _ in .tick }, file: "App/Routes.swift", line: 12)
        let cause = ActionCause(parent: 5, root: 3)
        for outputs in outputs(bridge, .auth(.logOut)) {
            #expect(
                outputs.map(\.source) == [
                    ActionSource(
                        file: "Tests/A.swift",
                        function: "a()",
                        line: 1,
                        info: "bridged at App/Routes.swift:12"
                    )
                ]
            )
            #expect(outputs.map(\.cause) == [cause])
        }
        let told = ActionSource(file: "F.swift", function: "f()", line: 3, info: "told")
        let once = outputs(bridge, .tick, from: told)[0][0].source
        #expect(once.info == "told, bridged at App/Routes.swift:12")
        #expect(outputs(bridge, .tick, from: once)[0][0].source == once)
        let other = Bridge().bridge({ _ in .tick }, file: "App/Routes.swift", line: 1)
        let twice = outputs(other, .tick, from: once)[0][0].source
        #expect(twice.info == "told, bridged at App/Routes.swift:12, bridged at App/Routes.swift:1")
        #expect(outputs(other, .tick, from: twice)[0][0].source == twice)
    }

    @Test("adding a rule leaves the old bridge unchanged; a bridge without rules has no `afterReduce`")
    func values() {
        let none = Bridge()
        let one = none.bridge { _ in .tick }
        #expect(!none.hasAfterReduce)
        #expect(one.hasAfterReduce)
        for actions in actions(one.bridge { _ in .list(.clear) }, .tick) { #expect(actions == [.tick, .list(.clear)]) }
        for actions in actions(one, .tick) { #expect(actions == [.tick]) }
    }

    @Test("a bridge works inside a lift, a chain and a type-erased middleware")
    func composed() {
        let inner = BridgeMiddleware<AuthAction, AuthAction, AuthState>()
            .bridge(on: \.logIn, dispatch: { .logIn($0 + "!") }, when: { $0.visits < 3 })
        let chain =
            inner.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth, state: \AppState.auth)
            <> Bridge().bridge(on: \.auth?.logIn, dispatch: { _ in .tick })
        let live = Shared(AppState())
        for middleware in unboundAndBound(chain.eraseToAnyMiddleware(), state: live) {
            live.value = AppState()
            let sink = SinkSpy<AppAction>()
            for _ in 0..<3 {
                cycle(middleware, .auth(.logIn("a")), state: live, reducer: reducer, output: sink)
            }
            #expect(
                sink.log.all.map(\.action) == [.tick, .auth(.logIn("a!")), .tick, .auth(.logIn("a!")), .tick]
            )
        }
    }
}
