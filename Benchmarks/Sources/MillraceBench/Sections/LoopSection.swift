// SPDX-License-Identifier: Apache-2.0

import CxxRivals
import Millrace

/// W2: the whole loop with one producer, compared with all other ways to bring actions to a state; and each of its two
/// sides alone.
struct LoopSection: Section {
    let id = "loop"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let producer = try Crew(1)
        let pair = try Crew(2)
        let queue = try MoodycamelQueue(RIVAL_BULK_LARGE_BLOCKS, producers: 1)
        let table = try await pairing.table(
            "W2: one producer thread, 3 middlewares, lifted reducers, until drained",
            subject: StoreLoop.contender(
                "Millrace, engine .thread",
                store: StoreLoop.plainStore(engine: .thread()),
                crew: producer
            ),
            targets: [
                Target(figure: .nanoseconds, atMost: 30),
                // The store publishes once per millisecond. Its allocations do not belong to an action; the next row
                // has none.
                Target(figure: .mallocs, atMost: 0.001),
            ],
            rivals: [
                Opponent(
                    StoreLoop.contender(
                        "Millrace, published on demand",
                        store: StoreLoop.plainStore(engine: .thread(), publication: .onDemand),
                        crew: producer
                    ),
                    targets: [Target(figure: .mallocs, atMost: 0)]
                ),
                Opponent(LockRival.mutex(crew: producer), note: "no hand-over, no middlewares"),
                Opponent(LockRival.pthread(crew: producer), note: "no hand-over, no middlewares"),
                Opponent(ArraySwapRival.contender(crew: pair), note: "no middlewares"),
                Opponent(DispatchQueueRival.contender(crew: producer), note: "no middlewares"),
                Opponent(AsyncStreamRival.contender(crew: producer), note: "no middlewares"),
                Opponent(ActorRival.contender(), note: "no middlewares, waits for each"),
                Opponent(
                    queue.contender(RIVAL_BULK_LARGE_BLOCKS.title, crew: pair, patience: .patient),
                    note: "transport only, C++"
                ),
            ]
        )
        return [table, try await EachSide.table(pairing)]
    }
}
