// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The cost of plugins that do nothing. Compares four stores: one that never had a plugin, one whose last plugin was
/// removed, one with one plugin, one with four. Also the cost for actions while plugins are installed and removed.
struct PluginsSection: Section {
    let id = "plugins"
    let isShort: Bool

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        let (empty, one, four) = (store(), store(), store())
        try await empty.plugins.install(FirstMiddleware(), as: "first")
        try await empty.plugins.remove("first")
        try await one.plugins.install(FirstMiddleware(), as: "first")
        try await four.plugins.install(FirstMiddleware(), as: "first")
        try await four.plugins.install(SecondMiddleware(), as: "second")
        try await four.plugins.install(ThirdMiddleware(), as: "third")
        try await four.plugins.install(FirstMiddleware(), as: "fourth")
        // Each batch publishes the state once. Its allocations do not belong to an action.
        let noMallocs = [Target(figure: .mallocs, atMost: 0.01)]
        let table = try await pairing.table(
            "Plugins that do nothing, 3 middlewares, engine .caller, batches of 256",
            subject: contender("never had a plugin", store(), crew),
            targets: noMallocs,
            rivals: [
                Opponent(contender("plugins empty: one was removed", empty, crew), targets: noMallocs),
                Opponent(contender("one plugin", one, crew), targets: noMallocs),
                Opponent(contender("four plugins", four, crew), targets: noMallocs),
            ]
        )
        let rate = 1_000_000
        let churn = PluginChurn(timetable: Timetable(rate: rate, count: isShort ? rate / 50 : 5 * rate))
        return [table, try await churn.table(runs: min(pairing.pairs, 3), pairing.progress)]
    }

    private func store() -> StoreLoop.Store {
        StoreLoop.plainStore(engine: .caller)
    }

    private func contender(_ name: String, _ store: StoreLoop.Store, _ crew: Crew) -> Contender {
        StoreLoop.contender(name, store: store, crew: crew, handover: .batches(of: 256))
    }
}
