// SPDX-License-Identifier: Apache-2.0

import Millrace

/// W1: one thread dispatches and reduces.
struct CallerSection: Section {
    let id = "caller"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        let store = StoreLoop.contender(
            "Millrace, engine .caller",
            store: StoreLoop.plainStore(engine: .caller),
            crew: crew
        )
        let onDemand = StoreLoop.contender(
            "Millrace, published on demand",
            store: StoreLoop.plainStore(engine: .caller, publication: .onDemand),
            crew: crew
        )
        let table = try await pairing.table(
            "W1: one thread, 3 middlewares, lifted reducers",
            subject: store,
            rivals: [
                Opponent(onDemand, targets: [Target(figure: .mallocs, atMost: 0)]),
                Opponent(LockRival.contender(crew: crew)),
            ]
        )
        return [table]
    }
}
