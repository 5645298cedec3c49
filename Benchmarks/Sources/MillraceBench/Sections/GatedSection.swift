// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceGated

/// The cost of a gate per action: the loop of a store with a gated middleware, minus the loop with the same middleware
/// without a gate.
struct GatedSection: Section {
    let id = "gated"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        let isControl: @Sendable (AppAction) -> Bool? = { action in
            if case .counter(.decrement) = action { true } else { nil }
        }
        let byState: @Sendable (AppState) -> Bool = { $0.ticks < 0 }
        let (closed, open) = (Gate(.bypass), Gate())
        let middleware = FirstMiddleware()
        let none = contender("no gate", crew, middleware)
        let gated: [(contender: Contender, atMost: Double?)] = [
            (contender("closed, from outside", crew, middleware.gated(by: closed)), 5),
            (
                contender(
                    "closed, by action",
                    crew,
                    middleware.gated(controlActionMap: isControl, default: .bypass)
                ),
                5
            ),
            (contender("closed, by state", crew, middleware.gated(stateMap: byState)), 5),
            (contender("closed, by state, key path", crew, middleware.gated(state: \.isAuditing)), 5),
            (contender("open, from outside", crew, middleware.gated(by: open)), nil),
            (contender("open, by action", crew, middleware.gated(controlActionMap: isControl)), nil),
        ]
        var rows: [Row] = []
        for (contender, atMost) in gated {
            guard
                let outcome = try await pairing.measure(contender, against: [none]),
                let rival = outcome.rivals.first
            else { return [] }
            if rows.isEmpty {
                rows.append(Row(none.name, time: rival.time, mallocs: try await pairing.mallocs(none)))
            }
            rows.append(
                Row(
                    "\(contender.name): the difference",
                    time: rival.difference,
                    mallocs: try await pairing.mallocs(contender),
                    // Each batch publishes the state once. Its allocations do not belong to an action.
                    targets: (atMost.map { [Target(figure: .nanoseconds, atMost: $0)] } ?? [])
                        + [Target(figure: .mallocs, atMost: 0.01)]
                )
            )
        }
        return [
            Table(title: "A gate before a middleware that does nothing, engine .caller, batches of 256", rows: rows)
        ]
    }

    private func contender<M: MiddlewareProtocol>(_ name: String, _ crew: Crew, _ middleware: sending M) -> Contender
    where M.InputActionType == AppAction, M.OutputActionType == AppAction, M.StateType == AppState {
        let store = StoreLoop.Store(
            initialState: AppState(),
            reducer: AppState.reducer,
            middleware: middleware,
            engine: .caller
        )
        return StoreLoop.contender(name, store: store, crew: crew, handover: .batches(of: 256))
    }
}
