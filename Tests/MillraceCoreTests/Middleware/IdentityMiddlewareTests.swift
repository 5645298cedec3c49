// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("IdentityMiddleware")
struct IdentityMiddlewareTests {
    private typealias Identity = IdentityMiddleware<AuthAction, AuthAction, AuthState>

    @Test("answers with nothing, has no afterReduce, takes no room")
    func nothing() {
        let identity = Identity()
        #expect(identity.handle(action: .logOut, from: .a, state: { AuthState() }).isPure)
        #expect(!identity.hasAfterReduce)
        #expect(MemoryLayout<Identity>.size == 0)
        #expect(identity == Identity())
    }

    @Test("stays an identity through every lift; the closures are not called")
    func lifts() {
        let input: @Sendable (AppAction) -> AuthAction? = { _ in unexpected() }
        let output: @Sendable (AuthAction) -> AppAction = { _ in unexpected() }
        let state: @Sendable (AppState) -> AuthState = { _ in unexpected() }
        let identity = Identity()
        let full: [IdentityMiddleware<AppAction, AppAction, AppState>] = [
            identity.lift(inputAction: input, outputAction: output, state: state),
            identity.lift(inputAction: input, outputAction: output, state: \AppState.auth),
            identity.lift(inputAction: input).lift(outputAction: output).lift(state: state),
            identity.lift(inputAction: input).lift(outputAction: output).lift(state: \AppState.auth),
            identity.lift(inputAction: input, outputAction: output).lift(state: state),
            identity.lift(inputAction: input, state: state).lift(outputAction: output),
            identity.lift(inputAction: input, state: \AppState.auth).lift(outputAction: output),
            identity.lift(outputAction: output, state: state).lift(inputAction: input),
            identity.lift(outputAction: output, state: \AppState.auth).lift(inputAction: input),
        ]
        for lifted in full {
            #expect(lifted == IdentityMiddleware())
            #expect(lifted.handle(action: .auth(.logOut), from: .a, state: { AppState() }).isPure)
        }
    }
}

/// For a closure that must not be called.
private func unexpected<Value>(sourceLocation: SourceLocation = #_sourceLocation) -> Value {
    Issue.record("called", sourceLocation: sourceLocation)
    preconditionFailure("there is nothing to return")
}
