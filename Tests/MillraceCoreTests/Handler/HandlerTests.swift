// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private struct World: Sendable {
    var number = 7
}

@Suite("Handler")
struct HandlerTests {
    private let check = LiftCheck()
    private let log = Recorder<String>()

    private var auth: Handler<Int, LiftCheck.Part> {
        let (check, log) = (check, log)
        return Handler(
            reducer: authReducer,
            middleware: MiddlewareReader {
                log.record("injected \($0)")
                return check.part
            }
        )
    }

    private func reduced<Action, State>(_ reducer: Reducer<Action, State>, _ action: Action, _ state: State) -> State {
        var state = state
        reducer.reduce(action, &state)
        return state
    }

    @Test("lifting lifts the reducer and the middleware to the same actions and the same state")
    func lift() {
        let all = auth.lift(
            inputAction: \AppAction.auth,
            outputAction: AppAction.auth,
            state: \AppState.auth,
            dependencies: \World.number
        )
        check.all(all.middleware.inject(World()))
        #expect(log.all == ["injected 7"])
        #expect(reduced(all.reducer, .auth(.logIn("a")), AppState()).auth.user == "a")
        #expect(reduced(all.reducer, .tick, AppState()) == AppState())
    }

    @Test("every non-empty set of actions, state and dependencies")
    func everySubset() {
        let (one, other) = (AuthState(user: nil, visits: 0), AuthState(user: "a", visits: 1))
        let logIn = AuthAction.logIn("a")

        let actionsAndState = auth.lift(
            inputAction: \AppAction.auth,
            outputAction: AppAction.auth,
            state: \AppState.auth
        )
        check.all(actionsAndState.middleware.inject(1))
        #expect(reduced(actionsAndState.reducer, .auth(logIn), AppState()) == AppState(auth: other))

        let actionsAndWorld = auth.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth)
            .lift(dependencies: \World.number)
        check.inputAndOutput(actionsAndWorld.middleware.inject(World()))
        #expect(reduced(actionsAndWorld.reducer, .auth(logIn), one) == other)

        let stateAndWorld = auth.lift(state: \AppState.auth).lift(dependencies: \World.number)
        check.state(stateAndWorld.middleware.inject(World()))
        #expect(reduced(stateAndWorld.reducer, logIn, AppState()) == AppState(auth: other))

        let actions = auth.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth)
        check.inputAndOutput(actions.middleware.inject(1))
        #expect(reduced(actions.reducer, .auth(logIn), one) == other)

        let state = auth.lift(state: \AppState.auth)
        check.state(state.middleware.inject(1))
        #expect(reduced(state.reducer, logIn, AppState()) == AppState(auth: other))

        let world = auth.lift(dependencies: \World.number)
        let part: LiftCheck.Part = world.middleware.inject(World())
        #expect(part.hasAfterReduce)
        #expect(reduced(world.reducer, logIn, one) == other)
    }

    @Test("<> composes both, in order, and injects the same into both; the identity changes nothing")
    func compose() {
        let log = log
        func part(_ name: String) -> Handler<Int, Spy<Int, Int, [String]>> {
            Handler(
                reducer: .reduce { _, state in state.append(name) },
                middleware: MiddlewareReader { Spy(name: "\(name)\($0)", log: log) }
            )
        }
        let both: Handler<Int, Chain<Spy<Int, Int, [String]>, Spy<Int, Int, [String]>>> = part("a") <> part("b")
        for handler in [both.inject(3)] {
            #expect(reduced(handler.reducer, 1, []) == ["a", "b"])
            _ = handler.middleware.inject(()).handle(action: 1, from: .a, state: { [] })
            #expect(log.all == ["a3 handle 1 1 []", "b3 handle 1 1 []"])
        }
        log.clear()
        let more = part("a") <> .identity() <> part("b")
        #expect(reduced(more.reducer, 1, []) == ["a", "b"])
        _ = more.middleware.inject(4).handle(action: 1, from: .a, state: { [] })
        #expect(log.all == ["a4 handle 1 1 []", "b4 handle 1 1 []"])
    }

    @Test("inject makes nothing by itself; every store gets its own")
    func inject() {
        let handler = auth.inject(5)
        #expect(log.count == 0)
        _ = handler.middleware.inject(())
        _ = handler.middleware.inject(())
        #expect(log.all == ["injected 5", "injected 5"])
    }
}
