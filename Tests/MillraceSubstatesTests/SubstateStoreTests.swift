// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceSubstates
import Testing

@Suite("SubstateStore")
struct SubstateStoreTests {
    private let errors = Kept<SubstateError>()

    private func makeStore(_ reducer: RoutingReducer = routes) -> SubstateStore {
        SubstateStore(reducer: reducer, engine: .caller, onError: errors.keep)
    }

    @Test("a store starts without substates and without a last action")
    func empty() {
        let store = makeStore()
        #expect(store.currentState.isEmpty)
        #expect(store.lastAction == nil)
    }

    @Test("add appends also what is registered already, and look-ups take the first")
    func addTwice() throws {
        let store = makeStore()
        store.dispatch(.add(states: [Counter(value: 1)]))
        store.dispatch(action: StoreAction.add(subStates: [Counter(value: 10), Tasks()]))
        store.dispatch(CounterAction(change: 1))
        #expect(store.currentState == [Counter(value: 2), Counter(value: 10), Tasks()])
        #expect(try store.substate(Counter.self).value == 2)
    }

    @Test("reset removes all substates, and is the last action")
    func reset() {
        let store = makeStore()
        store.dispatch(.add(states: [Counter()]))
        store.dispatch(action: SubstateStore.Action.reset)
        #expect(store.currentState.isEmpty)
        #expect(text(store.lastAction) == "reset")
        #expect(Store.reduce(state: [Counter()], action: .reset).isEmpty)
        #expect(Store.reduce(state: [Counter()], action: .add(states: [Tasks()])).count == 2)
    }

    @Test("every dispatch emits one pair of the state and the action that made it, changed or not")
    func everyDispatchEmits() {
        let store = makeStore()
        let pairs = Kept<String>()
        store.stateLastAction.subscribe { pairs.keep("\($0.currentState.count) \(text($0.lastAction))") }
        store.dispatch(.add(states: [Counter()]))
        store.dispatch(Stranger())
        store.dispatch(Stranger())
        #expect(pairs.all == ["0 none yet", "1 add(states: \([Counter()]))", "1 Stranger()", "1 Stranger()"])
    }

    @Test("a dispatch inside of an observer does not shift the pairs")
    func reentrant() {
        let store = makeStore()
        let pairs = Kept<String>()
        store.stateLastAction.subscribe { [weak store] pair in
            pairs.keep("\(pair.currentState[Counter.self]?.value ?? -1) \(text(pair.lastAction))")
            if pair.currentState[Counter.self]?.value == 1 { store?.dispatch(CounterAction(change: 10)) }
        }
        store.dispatch(.add(states: [Counter()]))
        store.dispatch(CounterAction(change: 1))
        #expect(pairs.all.suffix(2) == ["1 CounterAction(change: 1)", "11 CounterAction(change: 10)"])
    }

    @Test("an action that no reducer knows changes nothing, and is reported and counted")
    func unknownAction() {
        let store = makeStore()
        store.dispatch(Stranger())
        #expect(errors.all == [.unknownAction("MillraceSubstatesTests.Stranger")])
        #expect(store.parts.errors.count == 1)
        #expect(store.parts.errors.latest?.description.contains("routing(_:to:)") == true)
    }

    @Test("an action without its substate changes nothing, and is reported with both")
    func missingSubstate() {
        let store = makeStore()
        store.dispatch(.add(states: [Tasks()]))
        store.dispatch(CounterAction(change: 1))
        #expect(
            errors.all == [
                .missingSubstate("MillraceSubstatesTests.Counter", action: "MillraceSubstatesTests.CounterAction")
            ]
        )
        #expect(store.currentState == [Tasks()])
        #expect(throws: SubstateError.self) { try store.substate(Counter.self) }
    }

    @Test("several reducers of one action run in the order in which they were added")
    func severalReducers() throws {
        let more = RoutingReducer()
            .routing(CounterAction.self, to: Tasks.self) { action, tasks in tasks.titles.append("\(action.change)") }
            .routing(CounterAction.self, to: Counter.self) { _, counter in counter.value *= 2 }
        let store = makeStore(routes <> more)
        store.dispatch(.add(states: [Counter(), Tasks()]))
        store.dispatch(CounterAction(change: 3))
        #expect(store.currentState == [Counter(value: 6), Tasks(titles: ["3"])])
    }

    @Test("a route for a store action sees the substates registered")
    func routedStoreAction() {
        let store = makeStore(
            routes.routing(StoreAction.self, to: Counter.self) { _, counter in counter.value += 100 }
        )
        store.dispatch(.add(states: [Counter(value: 1)]))
        #expect(store.currentState == [Counter(value: 101)])
    }

    @Test("a main reducer gets what has no route; store actions never reach it")
    func mainReducer() {
        let seen = Kept<String>()
        let store = SubstateStore(
            mainReducer: { state, action in
                seen.keep(text(action))
                guard let action = action as? CounterAction else { throw SubstateError.unknown(action) }
                var state = state
                try state.update(Counter.self) { $0.value += action.change }
                return state
            },
            engine: .caller,
            onError: errors.keep
        )
        store.dispatch(CounterAction(change: 1))
        store.dispatch(.add(states: [Counter()]))
        store.dispatch(CounterAction(change: 2))
        store.dispatch(Stranger())
        #expect(store.currentState == [Counter(value: 2)])
        #expect(seen.all == ["CounterAction(change: 1)", "CounterAction(change: 2)", "Stranger()"])
        #expect(
            errors.all == [
                .missingSubstate("MillraceSubstatesTests.Counter", action: nil),
                .unknownAction("MillraceSubstatesTests.Stranger"),
            ]
        )
    }

    @Test("any other error of a main reducer is reported with the action")
    func mainReducerThrows() {
        let store = SubstateStore(mainReducer: { _, _ in throw Problem() }, engine: .caller, onError: errors.keep)
        store.dispatch(Stranger())
        #expect(errors.all == [.mainReducerFailed(action: "MillraceSubstatesTests.Stranger", error: "Problem()")])
    }

    @Test("a middleware of Millrace answers actions; what it dispatches is reduced next")
    func middleware() throws {
        let answers = SimpleEffectMiddleware<AnyActionType, StateLastAction>.onAction { action, _, _ in
            action is CounterAction ? .just(TasksAction.add("answer")) : .doNothing
        }
        let store = SubstateStore(
            parts: SubstateParts(reducer: routes, onError: errors.keep),
            middleware: answers,
            engine: .caller
        )
        store.dispatch(.add(states: [Counter(), Tasks()]))
        store.dispatch(CounterAction(change: 1))
        #expect(store.currentState == [Counter(value: 1), Tasks(titles: ["answer"])])
    }

    @Test("every initialiser takes an order and a capacity")
    func orderAndCapacity() throws {
        let capacity = StoreCapacity.bounded(1, overflow: .dropNewest)
        let stores = [
            SubstateStore(reducer: routes, engine: .caller, capacity: capacity, order: .internalFirst),
            SubstateStore(
                mainReducer: { state, action in
                    guard case .add(let title)? = action as? TasksAction else { throw SubstateError.unknown(action) }
                    var state = state
                    try state.update(Tasks.self) { $0.titles.append(title) }
                    return state
                },
                engine: .caller,
                capacity: capacity,
                order: .internalFirst
            ),
        ]
        for store in stores {
            #expect(store.base.description.contains("\(capacity)"))
            store.dispatch(.add(states: [Tasks()]))
            let subscription = store.base.subscribe { [weak store] current in
                guard current.currentState[Tasks.self]?.titles == ["a"] else { return }
                // The second action waits for this one; with `.fifo` it would be reduced before the answer.
                store?.base.dispatch(control: TasksAction.add("later"))
                store?.dispatch(TasksAction.add("answer"))
            }
            store.dispatch(TasksAction.add("a"))
            #expect(try store.substate(Tasks.self).titles == ["a", "later", "answer"])
            subscription.unsubscribe()
        }
    }

    @Test("actions from many threads are all handled, each thread's in its order")
    func manyThreads() async throws {
        let store = SubstateStore(reducer: routes, onError: errors.keep)
        store.dispatch(.add(states: [Tasks()]))
        await withTaskGroup(of: Void.self) { tasks in
            for thread in 0..<4 {
                tasks.addTask { for number in 0..<200 { store.dispatch(TasksAction.add("\(thread) \(number)")) } }
            }
        }
        await store.drain()
        let titles = try store.substate(Tasks.self).titles
        for thread in 0..<4 {
            #expect(titles.filter { $0.hasPrefix("\(thread) ") } == (0..<200).map { "\(thread) \($0)" })
        }
        #expect(await store.shutdown().isComplete)
    }

    @Test("threads read whole states while others are made")
    func readers() async throws {
        let store = SubstateStore(reducer: routes, onError: errors.keep)
        store.dispatch(.add(states: [Tasks(), Counter()]))
        await store.drain()
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                for number in 1...2_000 {
                    store.dispatch(CounterAction(change: 1))
                    if number % 10 == 0 { store.dispatch(TasksAction.add("\(number)")) }
                }
            }
            for _ in 0..<2 {
                tasks.addTask {
                    var last = 0
                    for _ in 0..<2_000 {
                        let state = store.currentState
                        let (count, titles) = (state[Counter.self]?.value ?? -1, state[Tasks.self]?.titles ?? [])
                        // A title comes after every tenth change.
                        #expect(count >= last && count / 10 - titles.count <= 1 && titles.count <= count / 10)
                        last = count
                    }
                }
            }
        }
        await store.drain()
        #expect(try store.substate(Counter.self).value == 2_000)
    }
}
