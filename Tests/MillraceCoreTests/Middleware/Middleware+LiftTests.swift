// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("MiddlewareProtocol: lift, every set of axes")
struct MiddlewareLiftTests {
    private let check = LiftCheck()

    @Test("a concrete middleware")
    func concrete() {
        let part = check.part
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

    @Test("a named one, which stays named")
    func named() {
        let part = check.part.named("part")
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
        let probe = ProbeSpy(log: check.log)
        check.log.clear()
        let lifted = part.lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth)
        _ = lifted.handle(action: .auth(.logOut), from: .a, state: { AppState() }, probe: probe)
        #expect(check.log.all.first == "began part" && check.log.all.last == "ended part")
        check.log.clear()
        _ = lifted.handle(action: .tick, from: .a, state: { AppState() }, probe: probe)
        #expect(check.log.count == 0)
    }

    @Test("literals of key paths, with and without their roots")
    func literals() {
        let part = check.part
        check.all(part.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth, state: \AppState.auth))
        let inferred: AnyMiddleware<AppAction, AppAction, AppState> =
            part.lift(inputAction: \.auth, outputAction: AppAction.auth, state: \.auth).eraseToAnyMiddleware()
        check.all(inferred)
        let computed = part.lift(
            inputAction: \AppAction.auth,
            outputAction: AppAction.auth,
            state: \AppState.computedAuth
        )
        check.all(computed)
        check.inputAndState(part.lift(inputAction: { (action: AppAction) in action.auth }, state: \AppState.auth))
    }

    @Test("lifts of lifts")
    func nested() {
        let part = check.part
        check.all(part.lift(inputAction: check.input).lift(outputAction: check.output).lift(state: \AppState.auth))
        check.all(part.lift(state: check.state).lift(outputAction: check.output).lift(inputAction: check.input))
        check.all(part.lift(outputAction: check.output, state: \AppState.auth).lift(inputAction: check.input))
    }
}
