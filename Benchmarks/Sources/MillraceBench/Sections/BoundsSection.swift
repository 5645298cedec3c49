// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The cost of a capacity: for a producer that only checks for room, and for one that has to wait for room.
struct BoundsSection: Section {
    let id = "bounds"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        func store(_ name: String, _ capacity: StoreCapacity) -> Contender {
            StoreLoop.contender(
                name,
                store: StoreLoop.plainStore(engine: .thread(), publication: .onDemand, capacity: capacity),
                crew: crew
            )
        }
        return [
            try await pairing.table(
                "W2 with a capacity, .block: one producer thread, 3 middlewares, lifted reducers, until drained",
                subject: store("unbounded", .unbounded),
                rivals: [1_000_000_000, 65_536, 1_024, 64].map { capacity in
                    Opponent(
                        store("capacity \(capacity)", .bounded(capacity)),
                        targets: capacity < 65_536 ? [] : [Target(figure: .mallocs, atMost: 0.001)]
                    )
                }
            )
        ]
    }
}
