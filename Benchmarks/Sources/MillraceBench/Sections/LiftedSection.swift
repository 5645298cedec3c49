// SPDX-License-Identifier: Apache-2.0

import Millrace

/// W2 with all middlewares lifted on input, output and state, of which one reads the state; and what each lift costs
/// when its middleware reads its part.
struct LiftedSection: Section {
    let id = "lifted"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let producer = try Crew(1)
        let table = try await pairing.table(
            "W2, lifted: 3 middlewares lifted on input, output and state, one reads the state",
            subject: StoreLoop.contender(
                "Millrace, lifted",
                store: StoreLoop.liftedStore(engine: .thread()),
                crew: producer
            ),
            targets: [Target(figure: .nanoseconds, atMost: 45), Target(figure: .mallocs, atMost: 0.001)],
            rivals: [
                Opponent(
                    StoreLoop.contender(
                        "Millrace, lifted, published on demand",
                        store: StoreLoop.liftedStore(engine: .thread(), publication: .onDemand),
                        crew: producer
                    ),
                    targets: [Target(figure: .mallocs, atMost: 0)]
                ),
                Opponent(
                    StoreLoop.contender(
                        "Millrace, not lifted",
                        store: StoreLoop.plainStore(engine: .thread()),
                        crew: producer
                    )
                ),
            ]
        )
        return [table, try await PartReads.table(pairing)]
    }
}
