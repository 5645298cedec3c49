// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// Checks rules about the state of a store with its middleware. The actions are random lists, and the schedules differ.
///
/// ```swift
/// try checkProperty(
///     .always("never more requests than three") { $0.requests.count <= 3 },
///     actions: loaderActions, initialState: Loads(), reducer: loadReducer
/// ) { world in Loader(clock: world.clock) }
/// ```
///
/// Each list is dispatched to a store in a ``SimulatedWorld`` by several threads, and the seed decides who runs when.
/// The rules are checked around every action that the store handles, also those that the middleware dispatches. After a
/// list, the counters of the store must balance.
///
/// If a list fails, the function makes the list shorter and simpler, and then its schedule shorter. With the
/// environment variable `MILLRACE_SEED` only that seed is run.
///
/// **Threads.** The function blocks the calling thread until all lists are run. **Cost.** A simulated world for each
/// list, and a copy of the state for each action.
///
/// - Parameters:
///   - properties: The rules.
///   - seeds: The seeds of the lists and worlds.
///   - length: The most actions of a list.
///   - producers: The number of threads that dispatch.
///   - horizon: How long a run goes on at most, in the time of its world.
///   - actions: The generator of the actions.
///   - initialState: The state before the first action.
///   - reducer: The reducer.
///   - order: Where the stores put the actions that they dispatch themselves. Use the order of the app's store.
///   - function: The name of the test, for the command.
///   - middleware: The closure that makes the middleware. It is called for each store.
/// - Throws: ``PropertyFailure`` for the first list that breaks a rule, or whose run fails, or if there is nothing to
///   run.
/// - Returns: How many lists were run.
@discardableResult
public func checkProperty<Action: Sendable, State: Sendable, M: MiddlewareProtocol>(
    _ properties: StateProperty<Action, State>...,
    seeds: Range<UInt64> = 0..<200,
    length: Int = 30,
    producers: Int = 2,
    horizon: Duration = .seconds(60),
    actions: ActionGenerator<Action>,
    initialState: State,
    reducer: Reducer<Action, State>,
    order: ActionOrder = .fifo,
    function: String = #function,
    middleware: @escaping (SimulatedWorld) -> M
) throws(PropertyFailure<Action>) -> PropertyReport
where M.InputActionType == Action, M.OutputActionType == Action, M.StateType == State {
    let watch = PropertyWatch(properties: properties)
    func scenario(_ list: [Action], _ found: Found) -> (SimulatedWorld) throws -> Void {
        { world in
            found.broken = watch.atFirst(initialState)
            // Only the consumer uses `found`, and one world runs at a time.
            let place = Unchecked(found)
            let watched = Reducer<Action, State>.reduce { action, state in
                let before = state
                reducer.reduce(action, &state)
                if place.value.broken == nil { place.value.broken = watch.after(action, before, state) }
            }
            // Unsafe: the closure of the test has made the middleware for this store alone.
            nonisolated(unsafe) let middleware = middleware(world)
            let store = ReduxStoreBase(
                initialState: initialState,
                reducer: watched,
                middleware: middleware,
                engine: .simulated(in: world),
                order: order
            )
            let count = max(1, producers)
            for producer in 0..<count {
                let part = list.indices.filter { $0 % count == producer }.map { list[$0] }
                world.thread("producer \(producer + 1)") { for action in part { store.dispatch(action) } }
            }
            try world.run(until: horizon)
            if let (property, _) = found.broken { throw RuleViolation(property, kind: property) }
            // Nothing can run any more, so an action that still waits is lost.
            try expectBalanced(store, isDrained: true)
        }
    }
    var run = PropertyRun<Action, State>(actions: actions, function: function) { list, seed in
        let found = Found()
        let run = ScheduleRun(.random(seed: seed), seed: seed, time: .whenIdle, isTracing: false, scenario(list, found))
        if let (property, detail) = found.broken { return .init(property: property, detail: detail) }
        return run.failure.map { .init(property: "the run succeeds", detail: "\($0).") }
    }
    run.schedule = { list, seed in
        let scenario = scenario(list, Found())
        let run = ScheduleRun(.random(seed: seed), seed: seed, time: .whenIdle, isTracing: false, scenario)
        let shrinker = ScheduleShrinker(seed: seed, time: .whenIdle, atMost: ScheduleShrinker.longestTime)
        return shrinker.shrink(run, of: scenario)?.steps ?? []
    }
    return try run.check(seeds: seeds, length: length)
}

/// The rule that a run broke first, and the change that broke it.
private final class Found {
    var broken: (property: String, detail: String)?
}
