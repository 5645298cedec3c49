// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("ComposedMiddleware: lift, every set of axes")
struct ComposedMiddlewareLiftTests {
    private let check = LiftCheck()

    @Test("each part is lifted, the order is kept")
    func lift() {
        var part = ComposedMiddleware<AuthAction, AuthAction, AuthState>()
        part.append(middleware: check.part)
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

    @Test("gives a ComposedMiddleware with as many parts")
    func parts() {
        let part: ComposedMiddleware<AuthAction, AuthAction, AuthState> = check.part <> check.part
        let lifted: ComposedMiddleware<AppAction, AppAction, AppState> =
            part.lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth)
        #expect(lifted.count == 4)
        #expect(ComposedMiddleware<AuthAction, AuthAction, AuthState>().lift(inputAction: check.input).count == 0)
    }
}
