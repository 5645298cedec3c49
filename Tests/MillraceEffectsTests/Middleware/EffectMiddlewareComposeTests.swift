// SPDX-License-Identifier: Apache-2.0

import MillraceEffects
import TestSupport
import Testing

@Suite("EffectMiddleware: composition and lifts")
struct EffectMiddlewareComposeTests {
    private func saying(_ text: String) -> EffectMiddleware<Int, String, Int, Void> {
        .onAction { action, _, state in .just("\(text)\(action)/\(state())") }
    }

    @Test("A2: lhs first, not mirrored, in any grouping; identity on both sides")
    func a02_order() {
        let (a, b, c) = (saying("a"), saying("b"), saying("c"))
        for middleware in [(a <> b) <> c, a <> (b <> c), .identity <> a <> b <> c, a <> b <> c <> .identity] {
            let output = Output<String>()
            middleware.run(1, output, state: 9)
            #expect(output.actions == ["a1/9", "b1/9", "c1/9"])
        }
        let output = Output<String>()
        EffectMiddleware<Int, String, Int, Void>.identity.run(1, output)
        #expect(output.actions.isEmpty)
    }

    @Test("each side keeps its dependencies")
    func dependencies() {
        func saying(_ world: String) -> EffectMiddleware<Int, String, Int, String> {
            EffectMiddleware(dependencies: world) { _, _, _ in .just { $0.dependencies } }
        }
        let output = Output<String>()
        (saying("a") <> saying("b")).run(0, output)
        #expect(output.actions == ["a", "b"])
    }

    struct Global: Sendable {
        var part = 4
    }

    struct Action: Sendable, Equatable {
        var number: Int?
        var text = ""
    }

    @Test("every lift: the action is its own or nothing happens, the state is the part's, the source stays")
    func lifts() {
        typealias Lifted = EffectMiddleware<Action, Action, Global, Void>
        let base = EffectMiddleware<Int, String, Int, Void>.onAction { action, source, state in
            .just("\(action)/\(state())", from: source)
        }
        let input: @Sendable (Action) -> Int? = { $0.number }
        let output: @Sendable (String) -> Action = { Action(text: $0) }
        let state: @Sendable (Global) -> Int = { $0.part }
        let all: [Lifted] = [
            base.lift(inputAction: input, outputAction: output, state: state),
            base.lift(inputAction: input, outputAction: output, state: \Global.part),
            base.lift(inputAction: \.number, outputAction: output, state: \.part),
            base.lift(inputAction: input, outputAction: output).lift(state: state),
            base.lift(inputAction: input, outputAction: output).lift(state: \Global.part),
            base.lift(inputAction: input, state: state).lift(outputAction: output),
            base.lift(inputAction: input, state: \Global.part).lift(outputAction: output),
            base.lift(outputAction: output, state: state).lift(inputAction: input),
            base.lift(outputAction: output, state: \Global.part).lift(inputAction: input),
        ]
        for lifted in all {
            let recorder = Output<Action>()
            let source = ActionSource.here()
            for action in [Action(number: 3), Action(text: "other")] {
                lifted.handle(action: action, from: source, state: { Global() }).run(recorder.handler)
            }
            #expect(recorder.dispatched.all == [DispatchedAction(Action(text: "3/4"), dispatcher: source)])
        }
    }
}
