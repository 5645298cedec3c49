// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceGated
import MillraceTesting

/// Effects that the state asks for, behind a gate that cancels, with a thread that cancels them all. In the end exactly the
/// effects run that the state asks for.
struct Supervision: Scenario {
    enum Action: Sendable {
        case want(Int, definition: Int)
        case leave(Int)
        case look
    }

    typealias State = [Int: Int]

    struct Values: Sendable {
        /// The definitions of the effects of each key that are under way.
        var running: [Int: [Int]] = [:]
    }

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        let book = Notebook(Values())
        var random = world.random
        let gate = Gate()
        let middleware = supervising(world, book)
        let store = ReduxStoreBase<Action, State>(
            initialState: [:],
            reducer: Reducer.reduce { action, wanted in
                switch action {
                case .want(let key, let definition): wanted[key] = definition
                case .leave(let key): wanted[key] = nil
                case .look: break
                }
            },
            middleware: middleware.gated(by: gate, inFlight: .cancel) <> cancelling(middleware),
            engine: .simulated(in: world)
        )
        for producer in 0..<2 {
            let odds = (0..<10).map { _ in Int.random(in: 0..<12, using: &random) }
            world.thread("producer \(producer)") {
                for odd in odds {
                    switch odd {
                    case 0..<6: store.dispatch(.want(odd % 3, definition: odd / 3))
                    case 6..<9: store.dispatch(.leave(odd % 3))
                    default: store.dispatch(.look)
                    }
                }
            }
        }
        let flips = Int.random(in: 0..<3, using: &random)
        world.thread("gate") {
            for _ in 0..<flips {
                for _ in 0..<4 { world.pause() }
                gate.toggle()
            }
        }
        if Bool.random(using: &random) {
            world.thread("canceller") {
                for _ in 0..<6 { world.pause() }
                middleware.effectCanceller.cancelAll()
            }
        }
        try book.run(world)
        gate.open()
        // The effects begin with the first action behind the open gate.
        store.dispatch(.look)
        try book.run(world)
        let wanted = store.state
        let running = book.now.running.filter { !$0.value.isEmpty }
        try expect(
            running == wanted.mapValues { [$0] },
            "the effects run that the state asks for: it asks for \(wanted), and \(running) run"
        )
    }

    /// Cancels the effects between the handlers of an action and its reducers. They begin again with the next action.
    private static func cancelling(
        _ middleware: SupervisingMiddleware<Action, Action, State, Void>
    ) -> AnyMiddleware<Action, Action, State> {
        AnyMiddleware { action, _, _ in
            if case .want(2, definition: 1) = action { middleware.effectCanceller.cancelAll() }
            return .pure()
        }
    }

    private static func supervising(
        _ world: SimulatedWorld,
        _ book: Notebook<Values>
    ) -> SupervisingMiddleware<Action, Action, State, Void> {
        EffectMiddleware<Action, Action, State, Void>.supervise(by: whole) { wanted in
            wanted.sorted { $0.key < $1.key }.map { key, definition in
                SupervisedEffect(
                    key,
                    definition: definition,
                    Effect { _, sink in
                        book.change { $0.running[key, default: []].append(definition) }
                        sink.onCancel {
                            book.change { values in
                                let index = values.running[key]?.firstIndex(of: definition)
                                if let index { values.running[key]?.remove(at: index) }
                            }
                        }
                    }
                )
            }
        }
    }

    private static func whole(_ state: State) -> State { state }
}
