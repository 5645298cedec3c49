// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceLogging
import MillraceSubstates
import Testing

@Suite("the logger in a store of substates")
struct SubstatesTests {
    private struct Count: SubstateType, Equatable {
        var value = 0
    }

    private enum CountAction: ActionType, Equatable {
        case add(Int)
    }

    @Test("actions are logged by their own text, in the order of the store", .timeLimit(.minutes(5)))
    func actions() async {
        let lines = Lines()
        let log = ActionLog()
        let routes = RoutingReducer().routing(CountAction.self, to: Count.self) { action, count in
            if case .add(let amount) = action { count.value += amount }
        }
        let store = SubstateStore(
            parts: SubstateParts(reducer: routes),
            middleware: IdentityMiddleware<AnyActionType, AnyActionType, StateLastAction>()
                .logger(actionPrinter: lines.printer, log: log),
            engine: .caller
        )
        store.dispatch(.add(states: [Count()]))
        store.dispatch(CountAction.add(2))
        await log.flush()
        #expect(lines.all.count == 2)
        #expect(lines.all.last?.contains("add(2)") == true)
    }
}
