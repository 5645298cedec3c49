// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

extension Cliff {
    /// The cost of an action in a store with this number of middlewares that do nothing, composed by `<>`.
    static var concreteMiddlewares: Cliff {
        Cliff(
            "an action through so many middlewares, composed by <>",
            sizes: [0, 1, 3, 8, 16, 32],
            rule: .documented("a call for each, or nothing if it is inlined")
        ) { size in
            let two = FirstMiddleware() <> SecondMiddleware()
            let eight = two <> two <> two <> two
            return switch size {
            case 0: try await nanoseconds(IdentityMiddleware<AppAction, AppAction, AppState>())
            case 1: try await nanoseconds(FirstMiddleware())
            case 3: try await nanoseconds(two <> ThirdMiddleware())
            case 8: try await nanoseconds(eight)
            case 16: try await nanoseconds(eight <> eight)
            default: try await nanoseconds((eight <> eight) <> (eight <> eight))
            }
        }
    }

    /// The cost of an action in a store with this number of middlewares, erased and in a `ComposedMiddleware`.
    static var erasedMiddlewares: Cliff {
        Cliff(
            "an action through so many middlewares, erased",
            sizes: [0, 1, 3, 8, 16, 32],
            rule: .documented("a call of a closure for each")
        ) { size in
            var all = ComposedMiddleware<AppAction, AppAction, AppState>()
            for _ in 0..<size { all.append(middleware: FirstMiddleware().eraseToAnyMiddleware()) }
            return try await nanoseconds(all)
        }
    }

    private static func nanoseconds<Composed: MiddlewareProtocol>(_ middleware: sending Composed) async throws -> Double
    where Composed.InputActionType == AppAction, Composed.OutputActionType == AppAction, Composed.StateType == AppState
    {
        let store = ReduxStoreBase(
            initialState: AppState(),
            reducer: AppState.reducer,
            middleware: middleware,
            engine: .caller,
            publication: .onDemand
        )
        return try nanoseconds(200_000, store)
    }

    /// Returns the nanoseconds per action of a store whose engine is `.caller`.
    static func nanoseconds(_ actions: Int, _ store: ReduxStoreBase<AppAction, AppState>) throws -> Double {
        for index in 0..<actions / 10 * 2 { store.dispatch(.nth(index)) }
        let before = store.state
        let start = bench_thread_time()
        for index in 0..<actions { store.dispatch(.nth(index)) }
        let time = bench_thread_time() - start
        try StateChange(from: before, to: store.state).check(StateChange(actions: actions), of: "cliff")
        return Double(time) / Double(actions)
    }

    /// The cost of an action in a store with this number of subscribers, published at the end of each dispatch.
    static var subscribers: Cliff {
        Cliff(
            "an action, published to so many subscribers",
            sizes: [0, 1, 8, 64],
            rule: .documented("a publication, and a call for each subscriber")
        ) { size in
            let store = StoreLoop.plainStore(engine: .caller)
            let calls = Counter()
            let subscriptions = (0..<size).map { _ in
                store.statePublisher.subscribe(UnfailableSubscriberType(onValue: { _ in calls.count += 1 }))
            }
            let actions = 20_000
            let time = try withExtendedLifetime(subscriptions) { try nanoseconds(actions, store) }
            try expect(calls.count, size * (actions + actions / 10 * 2 + 1), "calls of subscribers")
            return time
        }
    }

    /// The cost of an action from this number of producer threads, with engine `.thread()`.
    static var producers: Cliff {
        Cliff(
            "an action from so many producer threads",
            sizes: [1, 2, 4, 8, 16, 32, 64],
            rule: .documented(
                "more threads than processors: the scheduler stops a producer in the middle of a dispatch"
            )
        ) { size in
            let contender = StoreLoop.contender(
                "producers",
                store: StoreLoop.plainStore(engine: .thread()),
                crew: try Crew(size)
            )
            _ = try await contender.timed(64_000)
            return try await contender.timed(640_000)
        }
    }
}
