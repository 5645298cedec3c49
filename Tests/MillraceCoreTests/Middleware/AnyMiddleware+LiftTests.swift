// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("AnyMiddleware: lift, every set of axes")
struct AnyMiddlewareLiftTests {
    private typealias Lifted = AnyMiddleware<AppAction, AppAction, AppState>
    private let check = LiftCheck()

    @Test("an erased composite")
    func erasedComposite() {
        let part = check.part.eraseToAnyMiddleware()
        check.all(part.lift(inputAction: check.input, outputAction: check.output, state: check.state))
        check.all(part.lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth))
        check.inputAndOutput(part.lift(inputAction: check.input, outputAction: check.output))
        check.inputAndState(part.lift(inputAction: check.input, state: check.state))
        check.inputAndState(part.lift(inputAction: check.input, state: \AppState.auth))
        check.outputAndState(part.lift(outputAction: check.output, state: check.state))
        check.outputAndState(part.lift(outputAction: check.output, state: \AppState.auth))
        check.input(part.lift(inputAction: check.input))
        check.output(part.lift(outputAction: check.output))
        check.state(part.lift(state: check.state))
        check.state(part.lift(state: \AppState.auth))
    }

    @Test("an erased single middleware")
    func erasedSingle() {
        let part = check.part.named("one").eraseToAnyMiddleware()
        check.all(part.lift(inputAction: check.input, outputAction: check.output, state: check.state))
        check.all(part.lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth))
        check.inputAndOutput(part.lift(inputAction: check.input, outputAction: check.output))
        check.inputAndState(part.lift(inputAction: check.input, state: check.state))
        check.inputAndState(part.lift(inputAction: check.input, state: \AppState.auth))
        check.outputAndState(part.lift(outputAction: check.output, state: check.state))
        check.outputAndState(part.lift(outputAction: check.output, state: \AppState.auth))
        check.input(part.lift(inputAction: check.input))
        check.output(part.lift(outputAction: check.output))
        check.state(part.lift(state: check.state))
        check.state(part.lift(state: \AppState.auth))
    }

    @Test("gives an AnyMiddleware, which remembers how many parts it has")
    func parts() {
        typealias Identity = IdentityMiddleware<AuthAction, AuthAction, AuthState>
        let identity = Identity().eraseToAnyMiddleware()
        let cases = [
            (identity, 0), (check.part.named("one").eraseToAnyMiddleware(), 1), (AnyMiddleware(check.part), 2),
        ]
        for (erased, count) in cases {
            let lifted: Lifted = erased.lift(
                inputAction: check.input,
                outputAction: check.output,
                state: \AppState.auth
            )
            #expect((ComposedMiddleware() <> lifted).count == count)
        }
    }

    @Test("an erased identity calls no closure")
    func identity() {
        let identity = IdentityMiddleware<AuthAction, AuthAction, AuthState>().eraseToAnyMiddleware()
        let log = check.log
        let lifted: Lifted = identity.lift(
            inputAction: { action in
                log.record("input")
                return action.auth
            },
            outputAction: check.output,
            state: check.state
        )
        #expect(lifted.handle(action: .auth(.logOut), from: .a, state: { AppState() }).isPure)
        #expect(log.count == 0)
    }
}
