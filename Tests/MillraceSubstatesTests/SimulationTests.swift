// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceSubstates
import MillraceTesting
import Testing

/// The laws of the store, over schedules of threads, streams of actions and an observer that dispatches.
@Suite("laws in simulated worlds")
struct SimulationTests {
    private struct Broken: Error, Equatable { let law: String }

    private struct Added: ActionType, Equatable {
        var producer: Int
        var number: Int
    }

    private struct Log: SubstateType, Equatable {
        var added: [Added] = []
    }

    private static let reducer = RoutingReducer()
        .routing(Added.self, to: Log.self) { action, log in log.added.append(action) }
        .routing(CounterAction.self, to: Counter.self) { action, counter in counter.value += action.change }

    /// What a state must be after an action.
    private static func next(_ state: StoreState, _ action: AnyActionType?) -> StoreState {
        var state = state
        switch action {
        case .some(let action as StoreAction): state = SubstateStore.reduce(state: state, action: action)
        case .some(let action as Added): _ = try? state.update(Log.self) { $0.added.append(action) }
        case .some(let action as CounterAction): _ = try? state.update(Counter.self) { $0.value += action.change }
        default: break
        }
        return state
    }

    private static func scenario(_ world: SimulatedWorld) throws {
        let errors = Kept<SubstateError>()
        let pairs = Kept<StateLastAction>()
        let store = SubstateStore(
            parts: SubstateParts(reducer: reducer, onError: errors.keep),
            engine: .simulated(in: world)
        )
        world.thread("observer") {
            store.stateLastAction.subscribe { [weak store] pair in
                pairs.keep(pair)
                // Upstream, this shifts the pairs.
                if let change = pair.lastAction as? CounterAction, change.change > 1 {
                    store?.dispatch(CounterAction(change: change.change / 2))
                }
            }
        }
        for producer in 0..<3 {
            world.thread("producer \(producer)") {
                for number in 0..<6 {
                    store.dispatch(Added(producer: producer, number: number))
                    if number == producer { store.dispatch(CounterAction(change: 4)) }
                }
            }
        }
        world.thread("registrar") {
            store.dispatch(.add(states: [Log(), Counter()]))
            store.dispatch(.reset)
            store.dispatch(.add(states: [Log()]))
            store.dispatch(.add(states: [Counter(), Log()]))
        }
        world.thread("creator") {
            store.dispatch(
                actionsOf: ActionStream(
                    { Added(producer: 9, number: 0) },
                    { throw Problem() },
                    catchErrors: { _ in Added(producer: 9, number: 1) }
                )
            )
        }
        try world.run()
        try checkLaws(pairs.all, store, errors.all)
    }

    private static func checkLaws(
        _ pairs: [StateLastAction],
        _ store: SubstateStore,
        _ errors: [SubstateError]
    ) throws {
        guard let first = pairs.first else { throw Broken(law: "the observer is told of the state now") }
        var state = first.currentState
        for pair in pairs.dropFirst() {
            state = next(state, pair.lastAction)
            guard state == pair.currentState else { throw Broken(law: "state and last action are a true pair") }
        }
        guard store.currentState == state else { throw Broken(law: "the last pair is the state") }
        let metrics = store.base.metrics
        guard metrics.offered == metrics.reduced, metrics.pending == 0 else { throw Broken(law: "no action is lost") }
        // The first pair holds the actions that came before the subscription.
        guard metrics.reduced >= UInt64(pairs.count - 1) else { throw Broken(law: "one pair for one action") }
        let added = pairs.compactMap { $0.lastAction as? Added }
        for producer in [0, 1, 2, 9] {
            let numbers = added.filter { $0.producer == producer }.map(\.number)
            let last = producer == 9 ? 1 : 5
            guard numbers.isEmpty || numbers == Array(numbers[0]...last) else {
                throw Broken(law: "the actions of producer \(producer) come all, in order, once")
            }
        }
        // Each action without its substate is reported.
        let missing = errors.filter { if case .missingSubstate = $0 { true } else { false } }
        guard missing.count == errors.count else { throw Broken(law: "only missing substates are errors") }
    }

    @Test("no action is lost, and state and last action are a true pair, under 3,000 schedules")
    func laws() throws {
        let report = try SimulatedWorld.explore(seeds: 0..<3_000) { try Self.scenario($0) }
        #expect(report.schedules == 3_000)
    }

    @Test("every action makes one pair, for an observer that was there before the first")
    func everyActionOnce() throws {
        try SimulatedWorld.explore(seeds: 0..<1_000) { world in
            let pairs = Kept<StateLastAction>()
            let store = SubstateStore(
                parts: SubstateParts(reducer: Self.reducer, onError: { _ in }),
                engine: .simulated(in: world)
            )
            world.thread("observer, then producers") {
                store.stateLastAction.subscribe(pairs.keep)
                for producer in 0..<3 {
                    world.thread("producer \(producer)") {
                        for number in 0..<5 { store.dispatch(Added(producer: producer, number: number)) }
                    }
                }
            }
            try world.run()
            guard pairs.all.count == 16, store.base.metrics.reduced == 15 else {
                throw Broken(law: "one pair for one action")
            }
        }
    }

    @Test("a loop gets the same pairs as a subscriber")
    func loop() throws {
        try SimulatedWorld.explore(seeds: 0..<1_000) { world in
            let seen = Kept<Int>()
            let store = SubstateStore(
                parts: SubstateParts(reducer: Self.reducer, onError: { _ in }),
                engine: .simulated(in: world)
            )
            world.task("loop") {
                for await value in store.states(of: Counter.self).map(\.value) {
                    seen.keep(value)
                    if value == 6 { return }
                }
            }
            world.thread("producer") {
                store.dispatch(.add(states: [Counter()]))
                for _ in 0..<6 { store.dispatch(CounterAction(change: 1)) }
            }
            try world.run()
            let values = seen.all
            guard values.last == 6, values == Array((values.first ?? 0)...6) else {
                throw Broken(law: "no value is missing in \(values)")
            }
        }
    }
}
