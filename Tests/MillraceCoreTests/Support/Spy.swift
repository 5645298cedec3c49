// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport

/// Writes down each call, with the state it sees; answers with work if it is told to.
struct Spy<Input: Sendable, Output: Sendable, State: Sendable>: MiddlewareProtocol {
    let name: String
    let log: Recorder<String>
    var output: Output?

    func handle(action: Input, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Output> {
        log.record("\(name) handle \(action) \(dispatcher.line) \(state())")
        guard let output else { return .pure() }
        return IO { handler in
            log.record("\(name) io \(state())")
            handler.dispatch(output, from: dispatcher)
        }
    }
}

/// The same with an `afterReduce`, and no work.
struct LateSpy<Input: Sendable, Output: Sendable, State: Sendable>: MiddlewareProtocol {
    let name: String
    let log: Recorder<String>
    var output: Output?

    func handle(action: Input, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Output> {
        log.record("\(name) handle")
        return .pure()
    }

    func afterReduce(
        action: Input,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>,
        output handler: AnyActionHandler<Output>
    ) {
        log.record("\(name) after \(action) \(dispatcher.line) \(state())")
        if let output { handler.dispatch(output, from: dispatcher) }
    }
}

/// A class, not final, that is told when it is bound.
class BoundSpy: MiddlewareProtocol {
    var bindings: [GetState<Int>] = []

    func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
        .pure()
    }

    func bind(_ binding: MiddlewareBinding<Int, Int>) {
        bindings.append { [state = binding.state] in state() }
    }
}

/// A sink that writes down what it gets.
final class SinkSpy<ActionType: Sendable>: ActionSink<ActionType>, @unchecked Sendable {
    // Unchecked because the base class is; the record may be used from any thread.
    struct Entry: Sendable {
        let action: ActionType
        let source: ActionSource
        let cause: ActionCause
        let run: EffectRun?
    }

    let log = Recorder<Entry>()

    override func accept(_ dispatchedAction: sending DispatchedAction<ActionType>, cause: ActionCause, run: EffectRun?)
    {
        log.record(
            Entry(action: dispatchedAction.action, source: dispatchedAction.dispatcher, cause: cause, run: run)
        )
    }
}
