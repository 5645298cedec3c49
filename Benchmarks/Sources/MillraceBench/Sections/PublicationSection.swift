// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The cost of a publication: the same actions, published after every action, and on demand only.
struct PublicationSection: Section {
    let id = "publication"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        let every = StoreLoop.contender(
            "published at every action",
            store: StoreLoop.plainStore(engine: .caller, publication: .everyAction),
            crew: crew,
            share: 0.1
        )
        let never = StoreLoop.contender(
            "published on demand",
            store: StoreLoop.plainStore(engine: .caller, publication: .onDemand),
            crew: crew
        )
        guard let outcome = try await pairing.measure(every, against: [never]), let rival = outcome.rivals.first else {
            return []
        }
        let mallocs = (try await pairing.mallocs(every), try await pairing.mallocs(never))
        return [
            Table(
                title: "A publication of the state, engine .caller",
                rows: [
                    Row(every.name, time: outcome.subject, mallocs: mallocs.0),
                    Row(never.name, time: rival.time, ratio: rival.ratio, mallocs: mallocs.1),
                    Row(
                        "one publication: the difference",
                        time: rival.difference,
                        mallocs: max(0, mallocs.0 - mallocs.1),
                        targets: [Target(figure: .nanoseconds, atMost: 500), Target(figure: .mallocs, atMost: 2)]
                    ),
                ]
            )
        ]
    }
}
