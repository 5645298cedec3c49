// SPDX-License-Identifier: Apache-2.0

import Millrace

/// W1: one thread dispatches and reduces.
struct CallerSection: Section {
    let id = "caller"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        // With this engine a dispatch publishes the state before it returns, unless the state is published on demand.
        let store = StoreLoop.contender(
            "Millrace, engine .caller, published by each dispatch",
            store: StoreLoop.plainStore(engine: .caller),
            crew: crew,
            share: 0.1
        )
        let onDemand = StoreLoop.contender(
            "Millrace, engine .caller, published on demand",
            store: StoreLoop.plainStore(engine: .caller, publication: .onDemand),
            crew: crew
        )
        let table = try await pairing.table(
            "W1: one thread, 3 middlewares, lifted reducers",
            subject: onDemand,
            targets: [Target(figure: .mallocs, atMost: 0)],
            rivals: [
                Opponent(store),
                Opponent(LockRival.mutex(crew: crew)),
                Opponent(LockRival.pthread(crew: crew)),
            ]
        )
        return [table]
    }
}
