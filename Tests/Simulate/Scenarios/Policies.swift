// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting

/// Each engine that a world has, with each policy of a full store: three producers, whose actions cause others, an urgent
/// action, a drain, and for some seeds a shutdown while they dispatch.
struct Policies: Scenario {
    enum Action: Sendable {
        case work(producer: Int, number: Int, causes: Int)
        case caused(Int)
        case urgent
    }

    struct State: Sendable {
        var handled = 0
        var last: [Int: Int] = [:]
        var broken: String?
    }

    struct Notes: Sendable {
        var sent = 0
        /// Dispatches that have returned.
        var returned = 0
        /// What a subscriber was told last.
        var told = 0
    }

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        var random = world.random
        func any<Value>(_ values: Value...) -> Value { values.randomElement(using: &random)! }
        let isCaller = any(false, true)
        let most = any(1, 2, 5)
        let (capacity, drops) = any(
            (StoreCapacity.unbounded, false),
            (.bounded(most, overflow: .block), false),
            (.bounded(most, overflow: .dropNewest), true),
            (.bounded(most, overflow: .dropOldest), true)
        )
        let publication = any(Publication.batch, .everyAction, .onDemand, .atMost(every: .milliseconds(1)))
        let notes = Notebook(Notes())
        let store = ReduxStoreBase<Action, State>(
            initialState: State(),
            reducer: Reducer.reduce { action, state in reduce(action, &state) },
            middleware: Causing(notes: notes),
            engine: isCaller ? .caller(in: world.storeWorld) : .simulated(in: world),
            publication: publication,
            capacity: capacity,
            order: any(.fifo, .internalFirst)
        )
        let causing = any(false, true)
        let subscription = store.subscribe { state in notes.change { $0.told = state.handled } }
        for producer in 0..<3 {
            let causes = (0..<any(4, 8)).map { _ in causing ? any(0, 0, 0, 1, 3) : 0 }
            world.thread("producer \(producer)") {
                for (number, causes) in causes.enumerated() {
                    notes.change { $0.sent += 1 }
                    store.dispatch(.work(producer: producer, number: number, causes: causes))
                    notes.change { $0.returned += 1 }
                }
            }
        }
        if any(false, true) {
            world.thread("urgent") {
                notes.change { $0.sent += 1 }
                store.dispatch(urgent: .urgent)
            }
        }
        world.task("drain") {
            let returned = notes.now.returned
            await store.drain()
            let metrics = store.metrics
            if metrics.reduced + metrics.dropped + metrics.rejected + metrics.cancelled < returned {
                notes.breaks(
                    "a drain returns after the actions that were dispatched before it: \(returned), \(metrics)"
                )
            }
        }
        let endsEarly = any(false, false, true)
        if endsEarly {
            let yields = any(0, 5, 20)
            world.task("shutdown") {
                for _ in 0..<yields { await Task.yield() }
                _ = await store.shutdown(deadline: .seconds(1))
            }
        }
        try notes.run(world)
        try check(store, notes.now, mayMiss: drops || endsEarly, tells: publication != .onDemand && !endsEarly)
        if drops, !endsEarly {
            // The messages of the subscription and the drain take a place each.
            let (handled, fits) = (store.state.handled, min(most - 2, notes.now.sent))
            try expect(handled >= fits, "what finds room is reduced: \(handled) of \(notes.now.sent)")
        }
        if capacity != .unbounded, !causing {
            // Twice the capacity with .dropOldest; besides, what four threads claim after their look, and three messages.
            let depth = store.metrics.highWaterMark
            try expect(depth <= UInt64(2 * most + 4 + 3), "a store keeps to its capacity: \(depth), \(capacity)")
        }
        withExtendedLifetime(subscription) {}
    }

    private static func check(
        _ store: ReduxStoreBase<Action, State>,
        _ notes: Notes,
        mayMiss: Bool,
        tells: Bool
    ) throws {
        let (state, metrics) = (store.state, store.metrics)
        if let broken = state.broken { throw Broken(description: broken) }
        try expect(metrics.pending == 0, "nothing is left: \(metrics)")
        try expect(
            metrics.offered == metrics.reduced + metrics.rejected + metrics.dropped + metrics.cancelled,
            "every action is counted once: \(metrics)"
        )
        try expect(metrics.offered == notes.sent, "every action is offered: \(notes.sent), \(metrics)")
        try expect(
            metrics.reduced == state.handled,
            "each counted action was reduced once: \(state.handled), \(metrics)"
        )
        try expect(mayMiss || state.handled == notes.sent, "every action is reduced: \(state.handled) of \(notes.sent)")
        try expect(!tells || notes.told == state.handled, "a subscriber is told the last state")
    }

    private static func reduce(_ action: Action, _ state: inout State) {
        state.handled += 1
        guard case .work(let producer, let number, _) = action else { return }
        if number <= state.last[producer, default: -1] {
            state.broken = "the actions of a producer are reduced in its order"
        }
        state.last[producer] = number
    }

    /// Dispatches as many actions as the action says.
    private struct Causing: MiddlewareProtocol {
        let notes: Notebook<Notes>

        func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Action> {
            guard case .work(_, _, let causes) = action, causes > 0 else { return .pure() }
            let notes = notes
            return IO { output in
                for number in 0..<causes {
                    notes.change { $0.sent += 1 }
                    output.dispatch(.caused(number))
                }
            }
        }
    }
}
