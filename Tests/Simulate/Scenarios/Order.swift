// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting

/// Actions that cause others, urgent ones among them, in stores of both orders. With `.internalFirst` the reducer knows
/// which action must come next; with `.fifo` each producer's actions come in its order.
struct Order: Scenario {
    struct Action: Sendable {
        let id: Int
        /// -1: not from outside.
        let producer: Int
        /// How many actions the handler dispatches, and each of those.
        let children: [Int]
        var isUrgent = false
    }

    struct State: Sendable {
        var handled = 0
        /// The ids of the internal actions that have been dispatched, in order.
        var expected: [Int] = []
        var last: [Int: Int] = [:]
        var nextID = 1_000
    }

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        let book = Notebook(0)
        var random = world.random
        let order: ActionOrder = Bool.random(using: &random) ? .internalFirst : .fifo
        let capacities: [StoreCapacity] = [.unbounded, .bounded(2), .bounded(8)]
        let store = ReduxStoreBase<Action, State>(
            initialState: State(),
            reducer: Reducer.reduce { action, state in reduce(action, &state, order, book) },
            middleware: caused(byEffect: Bool.random(using: &random)),
            engine: .simulated(in: world),
            capacity: capacities.randomElement(using: &random)!,
            order: order
        )
        let shapes: [[Int]] = [[], [], [1], [3], [2, 2], Array(repeating: 1, count: 60)]
        for producer in 0..<3 {
            let sent = (0..<8).map { number in
                Action(
                    id: 10 * number + producer,
                    producer: producer,
                    children: shapes.randomElement(using: &random)!,
                    isUrgent: Int.random(in: 0..<8, using: &random) == 0
                )
            }
            world.thread("producer \(producer)") {
                for action in sent {
                    book.change { $0 += size(action.children) }
                    if action.isUrgent { store.dispatch(urgent: action) } else { store.dispatch(action) }
                }
            }
        }
        try book.run(world)
        try expect(store.state.handled == book.now, "every action is reduced: \(store.state.handled) of \(book.now)")
        try expect(order == .fifo || store.state.expected.isEmpty, "no internal action is lost")
    }

    /// The number of actions of a tree.
    private static func size(_ children: [Int]) -> Int {
        children.reversed().reduce(1) { $1 * $0 + 1 }
    }

    private static func reduce(_ action: Action, _ state: inout State, _ order: ActionOrder, _ book: Notebook<Int>) {
        state.handled += 1
        if action.producer >= 0, !action.isUrgent {
            if action.id <= state.last[action.producer, default: -1] {
                book.breaks("the actions of a producer are reduced in its order")
            }
            state.last[action.producer] = action.id
        }
        guard order == .internalFirst else { return }
        if action.producer < 0 {
            if state.expected.first != action.id { book.breaks("internal actions are handled first in, first out") }
            if !state.expected.isEmpty { state.expected.removeFirst() }
        } else if !state.expected.isEmpty, !action.isUrgent {
            book.breaks("what an action causes comes before the next action from outside")
        }
        for _ in 0..<(action.children.first ?? 0) {
            state.expected.append(state.nextID)
            state.nextID += 1
        }
    }

    /// Dispatches the children of each action by an IO.
    private struct Causing: MiddlewareProtocol {
        let family: Family?

        func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Action> {
            IO { output in for child in family?.children(of: action) ?? [] { output.dispatch(child) } }
        }
    }

    /// Gives the internal actions their ids.
    private struct Family: Sendable {
        private let next = Notebook(1_000)

        func children(of action: Action) -> [Action] {
            (0..<(action.children.first ?? 0)).map { _ in
                let id = next.change { next in
                    defer { next += 1 }
                    return next
                }
                return Action(id: id, producer: -1, children: Array(action.children.dropFirst()))
            }
        }
    }

    /// Dispatches the children of each action, by an IO or by an effect that answers at once.
    private static func caused(byEffect: Bool) -> some MiddlewareProtocol<Action, Action, State> & Sendable {
        let family = Family()
        let effects = SimpleEffectMiddleware<Action, State>.onAction { action, _, _ in
            byEffect ? .sequence(family.children(of: action)) : .doNothing
        }
        return effects <> Causing(family: byEffect ? nil : family)
    }
}
