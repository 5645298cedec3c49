// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Checks the state that it reads, and notes which effects run.
struct RuleWitness: MiddlewareProtocol {
    typealias InputActionType = RuleAction
    typealias OutputActionType = RuleAction
    typealias StateType = RuleState

    final class Mark {}

    let log: RuleLog
    let mark = Mark()
    private var position: (@Sendable () -> ActionPosition)?

    init(_ log: RuleLog) {
        self.log = log
    }

    mutating func bind(_ binding: MiddlewareBinding<RuleAction, RuleState>) {
        position = binding.position
    }

    func handle(
        action: RuleAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<RuleState>
    ) -> IO<RuleAction> {
        log.calls += 1
        log.noteSeen(action)
        expect(state().handled, is: -1, "handle")
        guard case .say(let count) = action else { return .pure() }
        return IO { output in
            for number in 0..<count { output.dispatch(.said(number + 1)) }
        }
    }

    func afterReduce(
        action: RuleAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<RuleState>,
        output: AnyActionHandler<RuleAction>
    ) {
        expect(state().handled, is: 0, "afterReduce")
    }

    /// Compares the number of actions in the state with the number of the action.
    private func expect(_ handled: UInt64, is difference: Int64, _ function: String) {
        guard let number = position?().number else { return }
        let wanted = UInt64(Int64(number) + difference)
        if handled != wanted, log.complaint == nil {
            log.complaint = """
                In \(function) of action number \(number) the state is that after \(handled) actions; it must be that after \
                \(wanted)
                """
        }
    }
}
