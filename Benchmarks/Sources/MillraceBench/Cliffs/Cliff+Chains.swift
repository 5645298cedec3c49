// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

extension Cliff {
    private typealias Store = ReduxStoreBase<AppAction, AppState>

    /// The cost of an action in a store with this number of plugins that do nothing, divided by their number.
    static var plugins: Cliff {
        Cliff("plugins, an action, each of so many", sizes: [10, 100, 1_000], rule: .flat(atMost: 3)) { size in
            let store = StoreLoop.plainStore(engine: .caller, publication: .onDemand)
            for number in 0..<size { try await store.plugins.install(FirstMiddleware(), as: name(number)) }
            let time = try await time(of: 2_000_000 / size, in: store)
            try expect(Int(store.plugins.all.last?.handled ?? 0), store.state.count * 2, "actions handled")
            return time / Double(size)
        }
    }

    /// The cost of installing a plugin: plugins are installed one after the other, without actions between them.
    static var installing: Cliff {
        Cliff("plugins, installing one after so many", sizes: [10, 100, 1_000], rule: .flat(atMost: 3)) { size in
            let store = StoreLoop.plainStore(engine: .caller, publication: .onDemand)
            let names = (0..<size).map(name)
            let start = bench_now()
            for name in names { try await store.plugins.install(FirstMiddleware(), as: name) }
            let time = bench_now() - start
            try expect(store.plugins.all.count, size, "plugins")
            return Double(time) / Double(size)
        }
    }

    /// The cost of an action in a store whose middlewares were named, erased and composed one by one, divided by their
    /// number.
    static var named: Cliff {
        Cliff(
            "named middlewares erased one by one, an action, each of so many",
            sizes: [10, 50, 200, 1_000],
            rule: .flat(atMost: 3)
        ) { size in
            var all = AnyMiddleware(FirstMiddleware().named(name(0)))
            for number in 1..<size { all = AnyMiddleware(all <> AnyMiddleware(FirstMiddleware().named(name(number)))) }
            let store = Store(
                initialState: AppState(),
                reducer: AppState.reducer,
                middleware: all,
                engine: .caller,
                publication: .onDemand
            )
            return try await time(of: 2_000_000 / size, in: store) / Double(size)
        }
    }

    /// The cost of an action where the named middlewares are composed into a `ComposedMiddleware`, divided by their
    /// number.
    static var composed: Cliff {
        Cliff(
            "named middlewares in a ComposedMiddleware, an action, each of so many",
            sizes: [10, 50, 200, 1_000],
            rule: .flat(atMost: 3)
        ) { size in
            var all = ComposedMiddleware<AppAction, AppAction, AppState>()
            for number in 0..<size { all.append(middleware: FirstMiddleware().named(name(number))) }
            let store = Store(
                initialState: AppState(),
                reducer: AppState.reducer,
                middleware: all,
                engine: .caller,
                publication: .onDemand
            )
            return try await time(of: 2_000_000 / size, in: store) / Double(size)
        }
    }

    private static func name(_ number: Int) -> MiddlewareName { MiddlewareName(interning: "cliff \(number)") }

    /// Returns the nanoseconds per action.
    private static func time(of actions: Int, in store: Store) async throws -> Double {
        for index in 0..<max(10, actions / 10) * 2 { store.dispatch(.nth(index)) }
        let before = store.state
        let start = bench_now()
        for index in 0..<actions { store.dispatch(.nth(index)) }
        let time = bench_now() - start
        try StateChange(from: before, to: store.state).check(StateChange(actions: actions), of: "cliff")
        return Double(time) / Double(actions)
    }
}
