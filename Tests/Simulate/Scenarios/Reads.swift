// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting

/// Threads that read what they have dispatched, and tasks that iterate over the states.
struct Reads: Scenario {
    struct Action: Sendable {
        let producer: Int
        let number: Int
    }

    struct State: Sendable {
        var count = 0
        /// The greatest number of each producer. Urgent actions overtake others.
        var last: [Int: Int] = [:]
    }

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        let book = Notebook(0)
        var random = world.random
        let isOnDemand = Bool.random(using: &random)
        let store = ReduxStoreBase<Action, State>(
            initialState: State(),
            reducer: Reducer.reduce { action, state in
                state.count += 1
                state.last[action.producer] = max(action.number, state.last[action.producer] ?? 0)
            },
            middleware: IdentityMiddleware<Action, Action, State>(),
            engine: .simulated(in: world),
            publication: isOnDemand ? .onDemand : .everyAction
        )
        for producer in 0..<2 {
            let odds = (0..<8).map { _ in Int.random(in: 0..<4, using: &random) }
            world.thread("producer \(producer)") {
                for (number, odd) in odds.enumerated() {
                    let action = Action(producer: producer, number: number)
                    if odd == 0 { store.dispatch(urgent: action) } else { store.dispatch(action) }
                    guard isOnDemand, odd < 2 else { continue }
                    if store.state.last[producer] ?? -1 < number {
                        book.breaks("a read on demand has what its thread dispatched before")
                    }
                }
            }
        }
        if !isOnDemand { addReaders(world, store, book) }
        try book.run(world)
        try expect(store.state.count == 16, "every action is reduced")
        try expect(isOnDemand || book.now == 3, "the last state reaches every reader")
    }

    /// Tasks that end with the last state. A lost one lets them wait for ever.
    private static func addReaders(
        _ world: SimulatedWorld,
        _ store: ReduxStoreBase<Action, State>,
        _ book: Notebook<Int>
    ) {
        for (number, buffering) in [StateBuffering.latest, .bufferingAll, .bufferingNewest(2)].enumerated() {
            let missing = Notebook(0)
            let states = store.states(buffering) { count in missing.change { $0 += count } }
            world.task("reader \(number)") {
                var last: Int?
                for await state in states {
                    let dropped = missing.change { count in
                        defer { count = 0 }
                        return count
                    }
                    if let last, state.count != last + 1 + dropped {
                        book.breaks(
                            "each state is an element or counted: \(state.count) after \(last), \(dropped) dropped"
                        )
                    }
                    last = state.count
                    if last == 16 { break }
                }
                book.change { $0 += 1 }
            }
        }
    }
}
