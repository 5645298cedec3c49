// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

private enum Action: Sendable, Equatable { case add(Int), added(Int), double }

@Suite("A store made of a handler")
struct HandlerTests {
    private let reducer = Reducer<Action, Int>.reduce { action, state in
        if case .add(let number) = action { state += number }
    }

    /// Dispatches what was added, times a factor.
    private func answer(_ factor: Int, _ log: Recorder<Int>) -> Handle<Action, Int> {
        Handle { action, _, state in
            guard case .add(let number) = action else { return .pure() }
            log.record(state())
            return IO { $0.dispatch(.added(factor * number)) }
        }
    }

    @Test("the dependencies are injected once a store", arguments: engines)
    func dependencies(engine: StoreEngine) async {
        let (log, injected) = (Recorder<Int>(), Recorder<Int>())
        let handler = Handler(
            reducer: reducer,
            middleware: MiddlewareReader { (factor: Int) in
                injected.record(factor)
                return answer(factor, log)
            }
        )
        let sum = Handler(
            reducer: Reducer<Action, Int>.reduce { action, state in
                if case .added(let number) = action { state += 1000 * number }
            }
        ).lift(dependencies: { (_: Int) in })
        for factor in 2...3 {
            let store = ReduxStoreBase(
                initialState: 1,
                handler: handler <> sum,
                dependencies: factor,
                engine: engine
            )
            store.dispatch(.add(5))
            await store.drain()
            await store.drain()
            #expect(store.state == 6 + 5000 * factor)
        }
        #expect(injected.all == [2, 3])
        #expect(log.all == [1, 1])
    }

    @Test("a block of reducers and middlewares, in written order", arguments: [true, false])
    func block(isOn: Bool) async {
        let log = Recorder<Int>()
        let store = ReduxStoreBase<Action, Int>(initialState: 1, engine: .caller) {
            reducer
            answer(1, log)
            if isOn {
                Reducer<Action, Int>.reduce { _, state in state *= 2 }
            }
            Handler(reducer: .reduce { _, state in state += 1 }, middleware: answer(2, log))
        }
        store.dispatch(.add(1))
        // (1 + 1) * 2 + 1 = 5, then two answers, each * 2 + 1.
        #expect(store.state == (isOn ? 23 : 5))
        #expect(log.all == [1, 1])
        #expect(store.metrics.reduced == 3)
    }

    @Test("routing in a store: a bridge's output is an action like others, on every engine", arguments: engines)
    func routing(engine: StoreEngine) async {
        let store = ReduxStoreBase<Action, Int>(initialState: 0, engine: engine) {
            reducer
            BridgeMiddleware<Action, Action, Int>()
                .bridge(on: { $0 == .double ? () : nil }, dispatch: .add(1), when: { $0 < 8 })
            StateMachineMiddleware<Action, Action, Int>()
                .when(from: 0, to: 1, dispatch: .add(10))
                .when(to: .value(11), dispatch: .added(11))
        }
        store.dispatch(.double)
        for _ in 0..<4 { await store.drain() }
        #expect(store.state == 11)
        #expect(store.metrics.reduced == 4)
    }
}
