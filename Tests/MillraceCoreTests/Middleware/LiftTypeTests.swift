// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("The type of a lift follows from its receiver, also where no type is asked for")
struct LiftTypeTests {
    private typealias Late = LateSpy<AuthAction, AuthAction, AuthState>

    private let check = LiftCheck()

    @Test("AnyMiddleware")
    func erased() {
        let part = check.part.eraseToAnyMiddleware()
        let all = part.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth, state: \AppState.auth)
        #expect(type(of: all) == AnyMiddleware<AppAction, AppAction, AppState>.self)
        let actions = part.lift(inputAction: { (action: AppAction) in action.auth }, outputAction: check.output)
        #expect(type(of: actions) == AnyMiddleware<AppAction, AppAction, AuthState>.self)
        let input = part.lift(inputAction: \AppAction.auth, state: \AppState.auth)
        #expect(type(of: input) == AnyMiddleware<AppAction, AuthAction, AppState>.self)
        let output = part.lift(outputAction: AppAction.auth, state: { (state: AppState) in state.auth })
        #expect(type(of: output) == AnyMiddleware<AuthAction, AppAction, AppState>.self)
        let steps = part.lift(inputAction: check.input).lift(outputAction: check.output).lift(state: check.state)
        #expect(type(of: steps) == AnyMiddleware<AppAction, AppAction, AppState>.self)
    }

    @Test("ComposedMiddleware")
    func composed() {
        let part: ComposedMiddleware<AuthAction, AuthAction, AuthState> = check.part <> check.part
        let all = part.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth, state: \AppState.auth)
        #expect(type(of: all) == ComposedMiddleware<AppAction, AppAction, AppState>.self)
        let steps = part.lift(inputAction: check.input).lift(outputAction: check.output).lift(state: check.state)
        #expect(type(of: steps) == ComposedMiddleware<AppAction, AppAction, AppState>.self)
    }

    @Test("IdentityMiddleware")
    func identity() {
        let part = IdentityMiddleware<AuthAction, AuthAction, AuthState>()
        let all = part.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth, state: \AppState.auth)
        #expect(type(of: all) == IdentityMiddleware<AppAction, AppAction, AppState>.self)
        let state = part.lift(state: \AppState.auth)
        #expect(type(of: state) == IdentityMiddleware<AuthAction, AuthAction, AppState>.self)
    }

    @Test("a reader stays a reader, any other middleware becomes a LiftMiddleware")
    func others() {
        let all = check.part.lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth)
        #expect(type(of: all) == LiftMiddleware<AppAction, AppAction, AppState, LiftCheck.Part>.self)
        let path: KeyPath<AppState, AuthState> = \.auth
        let place = check.part.lift(statePath: path)
        #expect(type(of: place) == LiftMiddleware<AuthAction, AuthAction, AppState, LiftCheck.Part>.self)
        check.state(place)
        let log = check.log
        let reader = MiddlewareReader { (_: Int) in Late(name: "late", log: log) }.lift(state: \AppState.auth)
        #expect(type(of: reader) == MiddlewareReader<Int, LiftMiddleware<AuthAction, AuthAction, AppState, Late>>.self)
    }
}
