// SPDX-License-Identifier: Apache-2.0

import Millrace

/// W1: one thread dispatches and reduces.
struct CallerSection: Section {
    let id = "caller"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        // Without subscribers the state is published when it is read.
        let plain = StoreLoop.contender(
            "Millrace, engine .caller",
            store: StoreLoop.plainStore(engine: .caller),
            crew: crew
        )
        let observed = StoreLoop.plainStore(engine: .caller)
        observed.subscribe { _ in }
        let subscribed = StoreLoop.contender(
            "Millrace, engine .caller, one subscriber",
            store: observed,
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
            subject: plain,
            targets: [Target(figure: .mallocs, atMost: 0)],
            rivals: [
                Opponent(onDemand),
                Opponent(subscribed),
                Opponent(LockRival.mutex(crew: crew)),
                Opponent(LockRival.pthread(crew: crew)),
            ]
        )
        return [table]
    }
}
