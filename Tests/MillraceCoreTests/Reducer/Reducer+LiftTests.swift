// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("Reducer: lift")
struct ReducerLiftTests {
    private typealias App = Reducer<AppAction, AppState>

    /// The same lift in each form that the action and state may be given in.
    private static let forms: [(name: String, reducer: App)] = {
        let actionPath: KeyPath<AppAction, AuthAction?> = \.auth
        let statePath: WritableKeyPath<AppState, AuthState> = \.auth
        return [
            ("literals", authReducer.lift(action: \.auth, state: \.auth)),
            ("literals with roots", authReducer.lift(action: \AppAction.auth, state: \AppState.auth)),
            ("key path values", authReducer.lift(action: actionPath, state: statePath)),
            ("closure and literal", authReducer.lift(action: { $0.auth }, state: \.auth)),
            ("closure and value", authReducer.lift(action: { (action: AppAction) in action.auth }, state: statePath)),
            ("computed state", authReducer.lift(action: \.auth, state: \.computedAuth)),
            ("action, then state", authReducer.lift(action: \AppAction.auth).lift(state: \AppState.auth)),
            ("action value, then state", authReducer.lift(action: actionPath).lift(state: statePath)),
            ("state, then action", authReducer.lift(state: \AppState.auth).lift(action: \AppAction.auth)),
            ("state, then action by a closure", authReducer.lift(state: statePath).lift(action: { $0.auth })),
            (
                "getter and setter",
                authReducer.lift(
                    actionGetter: { (action: AppAction) in action.auth },
                    stateGetter: { (state: AppState) in state.auth },
                    stateSetter: { $0.auth = $1 }
                )
            ),
        ]
    }()

    @Test("an action of its own changes its part of the state, and only that", arguments: forms.indices)
    func relevant(form: Int) {
        let (name, reducer) = Self.forms[form]
        var state = AppState(list: [1, 2])
        reducer.reduce(.auth(.logIn("ada")), &state)
        #expect(state.auth == AuthState(user: "ada", visits: 1), "\(name)")
        reducer.reduce(.auth(.logOut), &state)
        #expect(state.auth == AuthState(user: nil, visits: 1), "\(name)")
        #expect(state.list == [1, 2], "\(name)")
        #expect(state.writes == (name == "computed state" ? 2 : 0), "\(name)")
    }

    @Test("any other action changes nothing, and writes nothing", arguments: forms.indices)
    func irrelevant(form: Int) {
        let (name, reducer) = Self.forms[form]
        var state = AppState(list: [1, 2])
        let before = state
        reducer.reduce(.tick, &state)
        reducer.reduce(.list(.clear), &state)
        #expect(state == before, "\(name)")
    }

    @Test("identity stays identity in every form")
    func identity() {
        let identity = Reducer<AuthAction, AuthState>.identity
        #expect(identity.lift(action: \AppAction.auth, state: \AppState.auth).isIdentity)
        #expect(identity.lift(action: \AppAction.auth).isIdentity)
        #expect(identity.lift(state: \AppState.auth).isIdentity)
        #expect(
            identity.lift(
                actionGetter: { (action: AppAction) in action.auth },
                stateGetter: { (state: AppState) in state.auth },
                stateSetter: { $0.auth = $1 }
            ).isIdentity
        )
    }

    @Test("the closure form calls getter, reducer and setter once each, the setter also when nothing changed")
    func closureCalls() {
        let log = Recorder<String>()
        let reducer = Reducer<AuthAction, AuthState>.reduce { _, _ in log.record("reduce") }
        let lifted: App = reducer.lift(
            actionGetter: { action in
                log.record("action")
                return action.auth
            },
            stateGetter: { state in
                log.record("get")
                return state.auth
            },
            stateSetter: { state, part in
                log.record("set")
                state.auth = part
            }
        )
        var state = AppState()
        lifted.reduce(.auth(.logOut), &state)
        #expect(log.all == ["action", "get", "reduce", "set"])
        log.clear()
        lifted.reduce(.tick, &state)
        #expect(log.all == ["action"])
    }

    @Test("parts compose in order")
    func compose() {
        let app: App =
            authReducer.lift(action: \.auth, state: \.auth) <> listReducer.lift(action: \.list, state: \.list)
        var state = AppState()
        for action: AppAction in [.auth(.logIn("ada")), .list(.append(1)), .list(.append(2)), .tick] {
            app.reduce(action, &state)
        }
        #expect(state == AppState(auth: AuthState(user: "ada", visits: 1), list: [1, 2]))
    }
}
