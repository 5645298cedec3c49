// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

extension Cliff {
    /// The cost of an action whose reducer is lifted so many times, one lift around the other, each written out with
    /// the key paths of its types.
    static var liftsOfReducers: Cliff {
        Cliff(
            "an action, a reducer lifted so deep",
            sizes: [1, 2, 4, 8],
            rule: .documented("a few calls for each lift")
        ) {
            size in
            let (one, two, four, eight) = liftedReducers
            return try nanoseconds(size, one, two, four, eight)
        }
    }

    /// The same where a generic function of the client writes the key paths, so that they are values at run time.
    static var genericLiftsOfReducers: Cliff {
        Cliff(
            "an action, a reducer lifted so deep by a generic function",
            sizes: [1, 2, 4, 8],
            rule: .documented("a key path is evaluated for each lift")
        ) { size in
            let one = lifted(leaf)
            let two = lifted(one)
            let four = lifted(lifted(two))
            return try nanoseconds(size, one, two, four, lifted(lifted(lifted(lifted(four)))))
        }
    }

    /// A reducer, lifted once, twice, four times and eight times.
    nonisolated static var liftedReducers:
        (Reducer<Wrapped1, Level1>, Reducer<Wrapped2, Level2>, Reducer<Wrapped4, Level4>, Reducer<Wrapped8, Level8>)
    {
        let one = leaf.lift(action: \Wrapped1.inner, state: \Level1.inner)
        let two = one.lift(action: \Wrapped2.inner, state: \Level2.inner)
        let four = two.lift(action: \Wrapped3.inner, state: \Level3.inner)
            .lift(action: \Wrapped4.inner, state: \Level4.inner)
        let eight = four.lift(action: \Wrapped5.inner, state: \Level5.inner)
            .lift(action: \Wrapped6.inner, state: \Level6.inner)
            .lift(action: \Wrapped7.inner, state: \Level7.inner)
            .lift(action: \Wrapped8.inner, state: \Level8.inner)
        return (one, two, four, eight)
    }

    private nonisolated static var leaf: Reducer<Int, Int> { Reducer.reduce { amount, sum in sum &+= amount } }

    private static func nanoseconds(
        _ depth: Int,
        _ one: Reducer<Wrapped1, Level1>,
        _ two: Reducer<Wrapped2, Level2>,
        _ four: Reducer<Wrapped4, Level4>,
        _ eight: Reducer<Wrapped8, Level8>
    ) throws -> Double {
        switch depth {
        case 1: return try nanoseconds(one, .inner(1), Level(inner: 0)) { $0.inner }
        case 2: return try nanoseconds(two, .inner(.inner(1)), Level(inner: Level(inner: 0))) { $0.inner.inner }
        case 4: return try nanoseconds(four, Nested.action4, Nested.state4) { $0.inner.inner.inner.inner }
        default:
            return try nanoseconds(eight, Nested.action8, Nested.state8) {
                $0.inner.inner.inner.inner.inner.inner.inner.inner
            }
        }
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
        let result = dispatching(action, to: store)
        try expect(sum(store.state), result.actions, "the sum")
        return result.nanoseconds
    }

    /// Dispatches one action again and again, with engine `.caller`. Returns the nanoseconds of an action, without the first
    /// ones, and the number of all.
    static func dispatching<Action: Sendable, State>(
        _ action: Action,
        to store: ReduxStoreBase<Action, State>
    ) -> (nanoseconds: Double, actions: Int) {
        let (first, timed) = (20_000, 200_000)
        for _ in 0..<first { store.dispatch(action) }
        let start = bench_thread_time()
        for _ in 0..<timed { store.dispatch(action) }
        return (Double(bench_thread_time() - start) / Double(timed), first + timed)
    }
}
