// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// A middleware whose dispatches are noted.
struct ObservedMiddleware<Base: MiddlewareProtocol>: MiddlewareWrapper {
    typealias InputActionType = Base.InputActionType
    typealias OutputActionType = Base.OutputActionType
    typealias StateType = Base.StateType

    var base: Base
    let log: RuleLog
    private let mark: ReleaseMark

    init(_ base: Base, _ log: RuleLog) {
        self.base = base
        self.log = log
        mark = ReleaseMark(log)
    }

    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        next: BaseHandle
    ) -> IO<OutputActionType> {
        let io = log.handling { next(action, dispatcher, state) }
        guard !io.isPure else { return .pure() }
        return IO { [log] output in
            log.handling { io.run(output.observed(by: log)) }
        }
    }

    func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>,
        next: BaseAfterReduce
    ) {
        log.handling { next(action, dispatcher, state, output.observed(by: log)) }
    }

    mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        let log = log
        base.bind(binding.mappingOutput { $0.observed(by: log) })
        log.canceller = base.effectCanceller
    }
}

/// Notes every action that the store handles.
struct RollCall<Action, State>: MiddlewareProtocol {
    let log: RuleLog
    var position: (@Sendable () -> ActionPosition)?

    init(_ log: RuleLog) {
        self.log = log
    }

    mutating func bind(_ binding: MiddlewareBinding<Action, State>) {
        position = binding.position
    }

    func handle(
        action: Action,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>
    ) -> IO<Action> {
        log.noteHandled(action, position: position?() ?? .none)
        return .pure()
    }
}
