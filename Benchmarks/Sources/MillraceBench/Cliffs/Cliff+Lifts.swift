// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

extension Cliff {
    /// The cost of an action whose reducer is lifted so many times, one lift around the other.
    static var liftsOfReducers: Cliff {
        Cliff(
            "an action, a reducer lifted so deep",
            sizes: [1, 2, 4, 8],
            rule: .documented("a few calls for each lift")
        ) {
            size in
            let leaf = Reducer<Int, Int>.reduce { amount, sum in sum &+= amount }
            let one = lifted(leaf)
            let two = lifted(one)
            let four = lifted(lifted(two))
            return switch size {
            case 1: try nanoseconds(one, .inner(1), Level(inner: 0)) { $0.inner }
            case 2: try nanoseconds(two, .inner(.inner(1)), Level(inner: Level(inner: 0))) { $0.inner.inner }
            case 4:
                try nanoseconds(
                    four,
                    .inner(.inner(.inner(.inner(1)))),
                    Level(inner: Level(inner: Level(inner: Level(inner: 0))))
                ) { $0.inner.inner.inner.inner }
            default:
                try nanoseconds(
                    lifted(lifted(lifted(lifted(four)))),
                    .inner(.inner(.inner(.inner(.inner(.inner(.inner(.inner(1)))))))),
                    Level(
                        inner: Level(
                            inner: Level(
                                inner: Level(inner: Level(inner: Level(inner: Level(inner: Level(inner: 0)))))
                            )
                        )
                    )
                ) { $0.inner.inner.inner.inner.inner.inner.inner.inner }
            }
        }
    }

    private enum Wrapped<Action: Sendable>: Sendable {
        case inner(Action)
        case other

        var inner: Action? {
            if case .inner(let action) = self { action } else { nil }
        }
    }

    private struct Level<Inner: Sendable>: Sendable {
        var inner: Inner
        var others = 0
    }

    private static func lifted<Action: Sendable, State: Sendable>(
        _ reducer: Reducer<Action, State>
    ) -> Reducer<Wrapped<Action>, Level<State>> {
        reducer.lift(action: \Wrapped<Action>.inner, state: \Level<State>.inner)
    }

    private static func nanoseconds<Action: Sendable, State: Sendable>(
        _ reducer: Reducer<Action, State>,
        _ action: Action,
        _ state: State,
        sum: (State) -> Int
    ) throws -> Double {
        let store = ReduxStoreBase(
            initialState: state,
            reducer: reducer,
            engine: .caller,
            publication: .onDemand
        )
        let actions = 200_000
        for _ in 0..<actions / 10 { store.dispatch(action) }
        let start = bench_thread_time()
        for _ in 0..<actions { store.dispatch(action) }
        let time = bench_thread_time() - start
        try expect(sum(store.state), actions + actions / 10, "the sum")
        return Double(time) / Double(actions)
    }
}
