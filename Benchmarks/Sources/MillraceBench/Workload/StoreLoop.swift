// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// Times a store under load, from the first dispatch until all actions are reduced.
@MainActor
enum StoreLoop {
    typealias Store = ReduxStoreBase<AppAction, AppState>

    /// How a producer dispatches its actions.
    enum Handover {
        case single
        /// `dispatch(contentsOf:)` of arrays of this size.
        case batches(of: Int)
    }

    /// What ends the measured time.
    enum End {
        case allDispatched
        case allReduced
    }

    /// Returns a contender that dispatches on the threads of `crew`, an equal part on each.
    static func contender(
        _ name: String,
        store: Store,
        crew: Crew,
        handover: Handover = .single,
        share: Double = 1,
        until end: End = .allReduced
    ) -> Contender {
        Contender(name, share: share) { operations in
            let share = operations / crew.size
            let before = store.state
            let times = crew.run { _ in dispatch(share, to: store, handover) }
            await store.drain()
            let ended = bench_now()
            try StateChange(from: before, to: store.state).check(
                StateChange(actions: share, producers: crew.size),
                of: name
            )
            return end == .allReduced ? ended - times.began : times.wall_nanoseconds
        }
    }

    /// Returns a contender whose store exists only during its runs: for a store whose thread spins, and would take a
    /// processor from all other contenders. In each run the store is warmed up by another run that is not timed.
    static func contender(_ name: String, spinning engine: StoreEngine, crew: Crew) -> Contender {
        Contender(name) { operations in
            let store = plainStore(engine: engine)
            let loop = contender(name, store: store, crew: crew)
            _ = try await loop.run(operations)
            let time = try await loop.run(operations)
            _ = await store.shutdown(deadline: .seconds(10))
            return time
        }
    }

    /// Returns a contender that dispatches through a projection of the store.
    static func contender(
        _ name: String,
        view: StoreProjection<AppAction, String>,
        store: Store,
        crew: Crew
    ) -> Contender {
        Contender(name) { operations in
            let before = store.state
            let times = crew.run { _ in
                for index in 0..<operations { view.dispatch(AppAction.nth(index)) }
            }
            await store.drain()
            let ended = bench_now()
            try StateChange(from: before, to: store.state).check(StateChange(actions: operations), of: name)
            return ended - times.began
        }
    }

    /// Returns a store with the three middlewares that do nothing.
    static func plainStore(
        engine: StoreEngine,
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded
    ) -> Store {
        Store(
            initialState: AppState(),
            reducer: AppState.reducer,
            middleware: FirstMiddleware() <> SecondMiddleware() <> ThirdMiddleware(),
            engine: engine,
            publication: publication,
            capacity: capacity
        )
    }

    /// Returns a store without middlewares, whose only reducer is one switch.
    static func bareStore(engine: StoreEngine) -> Store {
        Store(
            initialState: AppState(),
            reducer: .reduce { action, state in state.apply(action) },
            middleware: IdentityMiddleware<AppAction, AppAction, AppState>(),
            engine: engine
        )
    }

    /// Returns a store with a logger in front of the three middlewares, published on demand.
    static func loggedStore<Logged: MiddlewareProtocol>(
        _ logged: (Chain<Chain<FirstMiddleware, SecondMiddleware>, ThirdMiddleware>) -> Logged
    ) -> Store
    where Logged.InputActionType == AppAction, Logged.OutputActionType == AppAction, Logged.StateType == AppState {
        Store(
            initialState: AppState(),
            reducer: AppState.reducer,
            middleware: logged(FirstMiddleware() <> SecondMiddleware() <> ThirdMiddleware()),
            engine: .caller,
            publication: .onDemand
        )
    }

    /// Returns a store whose three middlewares have names, so that they are measured one by one.
    static func namedStore(engine: StoreEngine, publication: Publication) -> Store {
        let middleware =
            FirstMiddleware().named("first") <> SecondMiddleware().named("second") <> ThirdMiddleware().named("third")
        return Store(
            initialState: AppState(),
            reducer: AppState.reducer,
            middleware: middleware,
            engine: engine,
            publication: publication
        )
    }

    /// Returns a store with three middlewares of one feature, each lifted on input, output and state. The third reads
    /// the state.
    static func liftedStore(engine: StoreEngine, publication: Publication = .atMost(every: .milliseconds(1))) -> Store {
        let first = FirstCounterMiddleware()
            .lift(inputAction: \AppAction.counter, outputAction: AppAction.counter, state: \AppState.count)
        let second = SecondCounterMiddleware()
            .lift(inputAction: \AppAction.counter, outputAction: AppAction.counter, state: \AppState.count)
        let third = ReadingCounterMiddleware()
            .lift(inputAction: \AppAction.counter, outputAction: AppAction.counter, state: \AppState.count)
        return Store(
            initialState: AppState(),
            reducer: AppState.reducer,
            middleware: first <> second <> third,
            engine: engine,
            publication: publication
        )
    }

    private nonisolated static func dispatch(_ count: Int, to store: Store, _ handover: Handover) {
        switch handover {
        case .single:
            for index in 0..<count { store.dispatch(AppAction.nth(index)) }
        case .batches(let size):
            var batch: [AppAction] = []
            batch.reserveCapacity(size)
            for start in stride(from: 0, to: count, by: size) {
                batch.removeAll(keepingCapacity: true)
                for index in start..<min(start + size, count) { batch.append(.nth(index)) }
                store.dispatch(contentsOf: batch)
            }
        }
    }
}
