// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceGated
import MillraceTesting

/// A middleware behind a gate that threads, handlers and reducers flip: each action reaches all of its stages, or none.
struct Gates: Scenario {
    struct Action: Sendable {
        enum Flip: Sendable { case no, inHandler, inReducer }
        let id: Int
        let flip: Flip
    }

    struct Values: Sendable {
        var handled: [Int] = []
        var reduced: [Int] = []
    }

    /// Notes what it sees.
    private struct Watcher: MiddlewareProtocol {
        let book: Notebook<Values>

        func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Action> {
            book.change { $0.handled.append(action.id) }
            return .pure()
        }

        func afterReduce(
            action: Action,
            from dispatcher: ActionSource,
            state: @escaping GetState<Int>,
            output: AnyActionHandler<Action>
        ) {
            book.change { $0.reduced.append(action.id) }
        }
    }

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        let book = Notebook(Values())
        var random = world.random
        let gate = Gate()
        let policies: [InFlightPolicy] = [.letFinish, .dropOutputs, .cancel]
        let flipping = AnyMiddleware<Action, Action, Int> { action, _, _ in
            if action.flip == .inHandler { gate.toggle() }
            return .pure()
        }
        let store = ReduxStoreBase<Action, Int>(
            initialState: 0,
            reducer: Reducer.reduce { action, count in
                count += 1
                if action.flip == .inReducer { gate.toggle() }
            },
            middleware: Watcher(book: book).gated(by: gate, inFlight: policies.randomElement(using: &random)!)
                <> flipping,
            engine: .simulated(in: world)
        )
        for producer in 0..<2 {
            let flips: [Action.Flip] = (0..<10).map { _ in
                [.no, .no, .no, .no, .inHandler, .inReducer].randomElement(using: &random)!
            }
            world.thread("producer \(producer)") {
                for (number, flip) in flips.enumerated() {
                    store.dispatch(Action(id: 2 * number + producer, flip: flip))
                    if number % 5 == producer { gate.toggle() }
                }
            }
        }
        try book.run(world)
        let values = book.now
        try expect(values.handled == values.reduced, "an action reaches handle and afterReduce, or none: \(values)")
        try expect(store.state == 20, "a gate holds up no action")
    }
}
