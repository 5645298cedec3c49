// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace

/// W2 on every engine.
struct EnginesSection: Section {
    let id = "engines"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        func store(_ name: String, _ engine: StoreEngine, share: Double = 1) -> Contender {
            StoreLoop.contender(name, store: StoreLoop.plainStore(engine: engine), crew: crew, share: share)
        }
        let queue = DispatchQueue(label: "bench")
        return [
            try await pairing.table(
                "W2 by engine: one producer thread, 3 middlewares, lifted reducers, until drained",
                subject: store("engine .thread()", .thread()),
                rivals: [
                    Opponent(store("engine .thread(latency: .throughput)", .thread(latency: .throughput))),
                    Opponent(
                        StoreLoop.contender(
                            "engine .thread(latency: .lowLatency)",
                            spinning: .thread(latency: .lowLatency),
                            crew: crew
                        )
                    ),
                    Opponent(store("engine .queue", .queue(queue)), targets: [Target(figure: .mallocs, atMost: 0.01)]),
                    Opponent(store("engine .main", .main), targets: [Target(figure: .mallocs, atMost: 0.01)]),
                    Opponent(store("engine .caller", .caller, share: 0.1)),
                ]
            )
        ]
    }
}
