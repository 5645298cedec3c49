// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceGated
import TestSupport

enum Step: Sendable, Equatable {
    case work(Int), answer(Int)
    case control(Bool), mode(GateState), volume(Int)

    var control: Bool? { if case .control(let isOn) = self { isOn } else { nil } }
    var mode: GateState? { if case .mode(let mode) = self { mode } else { nil } }
    var volume: Int? { if case .volume(let volume) = self { volume } else { nil } }
}

struct World: Sendable {
    var isOn = true
    var mode = GateState.active
    var count = 0
}

let reducer = Reducer<Step, World>.reduce { step, world in
    world.count += 1
    switch step {
    case .control(let isOn): world.isOn = isOn
    case .mode(let mode): world.mode = mode
    case .work, .answer, .volume: break
    }
}

/// Writes down what it sees: in `handle`, in its work, in `afterReduce`. Answers each `work` with an `answer`.
struct Witness: MiddlewareProtocol {
    let log: Recorder<String>

    func handle(action: Step, from dispatcher: ActionSource, state: @escaping GetState<World>) -> IO<Step> {
        log.record("handle \(action)")
        return IO { output in
            log.record("work \(action)")
            switch action {
            case .work(let number): output.dispatch(.answer(number), from: dispatcher)
            case .control(let isOn): output.dispatch(.answer(isOn ? -1 : -2), from: dispatcher)
            default: break
            }
        }
    }
}

/// The same with an `afterReduce` instead of works.
struct LateWitness: MiddlewareProtocol {
    let log: Recorder<String>

    func handle(action: Step, from dispatcher: ActionSource, state: @escaping GetState<World>) -> IO<Step> {
        log.record("handle \(action)")
        return .pure()
    }

    func afterReduce(
        action: Step,
        from dispatcher: ActionSource,
        state: @escaping GetState<World>,
        output: AnyActionHandler<Step>
    ) {
        log.record("after \(action)")
        if case .work(let number) = action { output.dispatch(.answer(number), from: dispatcher) }
    }
}

/// Keeps the outputs of its works, by the number of the action, to use them later.
final class Keeper: MiddlewareProtocol, Sendable {
    let outputs = Shared<[Int: AnyActionHandler<Step>]>([:])

    func handle(action: Step, from dispatcher: ActionSource, state: @escaping GetState<World>) -> IO<Step> {
        let number =
            switch action {
            case .work(let number): number
            case .control(let isOn): isOn ? -1 : -2
            default: 0
            }
        return IO { [outputs] output in outputs.update { $0[number] = output } }
    }

    func send(_ number: Int, _ step: Step) {
        outputs.value[number]?.dispatch(step)
    }
}

/// A store that is driven by who dispatches, and what its reducer saw.
struct Rig: Sendable {
    let store: ReduxStoreBase<Step, World>
    let reduced = Recorder<Step>()

    init<M: MiddlewareProtocol>(_ middleware: sending M, world: World = World())
    where M.InputActionType == Step, M.OutputActionType == Step, M.StateType == World {
        let reduced = reduced
        store = ReduxStoreBase(
            initialState: world,
            reducer: Reducer.reduce { step, _ in reduced.record(step) } <> reducer,
            middleware: middleware,
            engine: .caller,
            publication: .everyAction
        )
    }

    func dispatch(_ steps: Step...) {
        for step in steps { store.dispatch(step) }
    }
}

typealias Effects = EffectMiddleware<Step, Step, World, Void>

/// For each `work` and each `control` an effect that goes on until it is cancelled; sends what it is told to.
func endless(_ sinks: Shared<[EffectSink<DispatchedAction<Step>>]>) -> Effects {
    .onAction { action, _, _ in
        switch action {
        case .work, .control, .mode:
            Effect { _, sink in sinks.update { $0.append(sink) } }
        default: .doNothing
        }
    }
}
