// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

private enum GlobalAction: Equatable, Sendable {
    case part(Int)
    case other

    var part: Int? {
        if case .part(let number) = self { number } else { nil }
    }
}

private struct GlobalState: Equatable, Sendable {
    var part = 0
    var sets = 0
}

@Suite("Conformance: lifting")
struct LiftConformanceTests {
    private let log = Recorder<String>()

    @Test("A14: nil action map of a reducer: neither the reducer nor the setter is called")
    func a14_nilActionMapOfAReducer() {
        let log = log
        let reducer = Reducer<Int, Int>.reduce { action, state in
            log.record("reduce")
            state += action
        }
        let byClosures = reducer.lift(
            actionGetter: { (action: GlobalAction) in action.part },
            stateGetter: { (state: GlobalState) -> Int in
                log.record("get")
                return state.part
            },
            stateSetter: { state, part in
                log.record("set")
                state.part = part
            }
        )
        let byPaths = reducer.lift(action: \GlobalAction.part, state: \GlobalState.part)
        var state = GlobalState()
        byClosures.reduce(.other, &state)
        byPaths.reduce(.other, &state)
        reducer.lift(action: \GlobalAction.part).reduce(.other, &state.part)
        #expect(log.count == 0)
        #expect(state == GlobalState())
        byClosures.reduce(.part(2), &state)
        byPaths.reduce(.part(3), &state)
        #expect(log.all == ["get", "reduce", "set", "reduce"])
        #expect(state.part == 5)
    }

    @Test("A14: nil action map of a middleware: IO.pure(), no pre-pass and no post-pass")
    func a14_nilActionMapOfAMiddleware() {
        let log = log
        let part = AnyMiddleware<Int, Int, Int> { action, _, _ in
            log.record("handle \(action)")
            return IO { _ in log.record("work") }
        }
        let composed = ComposedMiddleware<Int, Int, Int>() <> part
        let lifted: [AnyMiddleware<GlobalAction, Int, Int>] = [
            part.lift(inputAction: \GlobalAction.part),
            composed.lift(inputAction: { $0.part }).eraseToAnyMiddleware(),
            part.named("part").lift(inputAction: { $0.part }).eraseToAnyMiddleware(),
        ]
        for middleware in lifted {
            log.clear()
            let io = middleware.handle(action: .other, from: .here(), state: { 0 })
            #expect(io.isPure)
            io.run { _ in }
            #expect(log.count == 0)
            middleware.handle(action: .part(1), from: .here(), state: { 0 }).run { _ in }
            #expect(log.all == ["handle 1", "work"])
        }
    }

    @Test("A15: a closure-lifted reducer always writes back when the action matched, also an unchanged state")
    func a15_alwaysWritesBack() {
        let lifted = Reducer<Int, Int>.reduce { _, _ in }.lift(
            actionGetter: { (action: GlobalAction) in action.part },
            stateGetter: { (state: GlobalState) in state.part },
            stateSetter: { state, part in
                state.part = part
                state.sets += 1
            }
        )
        var state = GlobalState()
        for action: GlobalAction in [.part(0), .other, .part(0)] { lifted.reduce(action, &state) }
        #expect(state == GlobalState(part: 0, sets: 2))
    }

    @Test("A15: the output map of a middleware can rename but not drop")
    func a15_outputsAreNotDropped() {
        let part = AnyMiddleware<Int, Int, Int> { action, dispatcher, _ in
            IO { output in for number in 0..<action { output.dispatch(number, from: dispatcher) } }
        }
        let outputs = Recorder<GlobalAction>()
        let lifted = part.lift(
            inputAction: \GlobalAction.part,
            outputAction: { $0 == 1 ? GlobalAction.other : .part($0) }
        )
        lifted.handle(action: .part(3), from: .here(), state: { 0 }).run { outputs.record($0.action) }
        #expect(outputs.all == [.part(0), .other, .part(2)])
    }
}
