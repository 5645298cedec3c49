// SPDX-License-Identifier: Apache-2.0

import Millrace

extension CountedRow {
    /// Rows of the order of actions: chains in which each action dispatches the next, and urgent actions.
    static var order: [CountedRow] {
        [
            CountedRow("order: a chain, .fifo") { chain(.fifo) },
            CountedRow("order: a chain, .internalFirst") { chain(.internalFirst) },
            CountedRow("order: an urgent action, each handled at once") {
                let store = plain()
                return Run { operations in
                    for index in 0..<operations { store.dispatch(urgent: .nth(index)) }
                }
            },
        ]
    }

    private static func chain(_ order: ActionOrder) -> Run {
        let store = chainStore(order)
        return Run { operations in store.dispatch(.tick(operations - 1)) }
    }

    /// A store in which the action `.tick(n)` dispatches `.tick(n - 1)`, down to 0.
    static func chainStore(_ order: ActionOrder) -> ReduxStoreBase<AppAction, AppState> {
        ReduxStoreBase(
            initialState: AppState(),
            reducer: AppState.reducer,
            middleware: ChainMiddleware(),
            engine: .caller,
            publication: .onDemand,
            order: order
        )
    }
}

/// Answers each action with the next one. Without an IO, whose closure would be an allocation.
private struct ChainMiddleware: MiddlewareProtocol {
    var hasAfterReduce: Bool { true }

    func handle(
        action: AppAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AppState>
    ) -> IO<AppAction> {
        .pure()
    }

    func afterReduce(
        action: AppAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AppState>,
        output: AnyActionHandler<AppAction>
    ) {
        if case .tick(let left) = action, left > 0 { output.dispatch(.tick(left - 1)) }
    }
}
