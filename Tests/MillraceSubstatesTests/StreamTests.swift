// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceSubstates
import Testing

@Suite("streams")
struct StreamTests {
    private let store = SubstateStore(reducer: routes, engine: .caller, onError: { _ in })

    @Test("state and last action begin with what is now, then come for every action")
    func plainStreams() {
        store.dispatch(.add(states: [Counter()]))
        let (states, actions) = (Kept<StoreState>(), Kept<String>())
        store.state.subscribe(states.keep)
        store.lastDispatchedAction.subscribe { actions.keep(text($0)) }
        store.dispatch(CounterAction(change: 1))
        store.dispatch(CounterAction(change: 0))
        #expect(states.all == [[Counter()], [Counter(value: 1)], [Counter(value: 1)]])
        #expect(actions.all.dropFirst() == ["CounterAction(change: 1)", "CounterAction(change: 0)"])
    }

    @Test("a substate comes when it is registered, and when it has changed")
    func substates() {
        let seen = Kept<Int>()
        store.states(of: Counter.self).subscribe { seen.keep($0.value) }
        store.dispatch(.add(states: [Tasks()]))
        store.dispatch(.add(states: [Counter(value: 1)]))
        store.dispatch(TasksAction.add("a"))
        store.dispatch(CounterAction(change: 0))
        store.dispatch(CounterAction(change: 1))
        store.dispatch(.reset)
        store.dispatch(.add(states: [Counter(value: 2)]))
        store.dispatch(.add(states: [Counter(value: 3)]))
        store.dispatch(CounterAction(change: 1))
        #expect(seen.all == [1, 2, 3])
    }

    @Test("a substate that is not Equatable comes each time that a reducer was called with it")
    func notEquatable() {
        let seen = Kept<String>()
        store.states(of: Notes.self).subscribe { seen.keep($0.text) }
        store.dispatch(.add(states: [Notes(), Counter()]))
        store.dispatch(CounterAction(change: 1))
        store.dispatch(NotesAction())
        store.dispatch(CounterAction(change: 1))
        store.dispatch(NotesAction())
        #expect(seen.all == ["", ".", ".."])
    }

    @Test("each subscriber has its own memory of duplicates")
    func subscribersAreApart() {
        let parity = store.states(of: Counter.self).map { $0.value % 2 }.removeDuplicates()
        let (first, second) = (Kept<Int>(), Kept<Int>())
        store.dispatch(.add(states: [Counter()]))
        parity.subscribe(first.keep)
        store.dispatch(CounterAction(change: 1))
        parity.subscribe(second.keep)
        for change in [2, 2, 1] { store.dispatch(CounterAction(change: change)) }
        #expect(first.all == [0, 1, 0])
        #expect(second.all == [1, 0])
    }

    @Test("a loop gets every pair, also when it is slow, and ends with the store")
    func loop() async {
        var store: SubstateStore? = SubstateStore(reducer: routes, engine: .caller)
        let stream = store!.stateLastAction.compactMap { $0.currentState[Counter.self]?.value }
        var iterator = stream.makeAsyncIterator()
        store?.dispatch(.add(states: [Counter()]))
        for _ in 0..<100 { store?.dispatch(CounterAction(change: 1)) }
        store = nil
        var values: [Int] = []
        while let value = await iterator.next() { values.append(value) }
        #expect(values == Array(0...100))
        #expect(stream.subscribe { _ in } == nil)
        for await _ in stream { Issue.record("the store has ended") }
    }

    @Test("a loop that buffers the newest value skips others")
    func newest() async {
        var iterator = store.states(of: Counter.self).buffering(.latest).makeAsyncIterator()
        store.dispatch(.add(states: [Counter()]))
        for _ in 0..<10 { store.dispatch(CounterAction(change: 1)) }
        #expect(await iterator.next()?.value == 10)
    }

    @Test("a publisher gives each subscriber the latest value first, and ends with its subscription")
    func publisher() {
        store.dispatch(.add(states: [Counter(value: 5)]))
        let seen = Kept<Int>()
        let publisher = store.states(of: Counter.self).publisher
        let subscription = publisher.subscribe(UnfailableSubscriberType(onValue: { seen.keep($0.value) }))
        store.dispatch(CounterAction(change: 1))
        subscription.unsubscribe()
        store.dispatch(CounterAction(change: 1))
        #expect(seen.all == [5, 6])
    }
}
