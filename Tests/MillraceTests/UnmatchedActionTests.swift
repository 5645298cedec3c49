// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

/// Actions for elements that do not exist.
@Suite("Unmatched actions", .timeLimit(.minutes(5)))
struct UnmatchedActionTests {
    struct Entry: Sendable, Identifiable, Equatable {
        var id: Int
        var sum = 0
    }

    struct Book: Sendable {
        var table: [Int: Int] = [1: 0]
        var list: [Entry] = [Entry(id: 1)]
        var keyed: KeyedArray = [Entry(id: 1)]
        var fixed = CollectionOfOne(Entry(id: 1))
    }

    typealias Action = ElementIDAction<Int, Int>

    private let number = Reducer<Int, Int>.reduce { $1 += $0 }
    private let entry = Reducer<Int, Entry>.reduce { $1.sum += $0 }

    private func store(_ reducer: Reducer<Action, Book>, _ engine: StoreEngine = .caller) -> ReduxStoreBase<
        Action, Book
    > {
        ReduxStoreBase(
            initialState: Book(),
            reducer: reducer,
            middleware: IdentityMiddleware<Action, Action, Book>(),
            engine: engine
        )
    }

    private func reducer(
        numbers: UnknownElement<Int, Int> = .ignore,
        entries: UnknownElement<Int, Entry> = .ignore
    ) -> Reducer<Action, Book> {
        number.liftToDictionary(action: { $0 }, stateDictionary: \Book.table, unknown: numbers)
            <> entry.liftToCollection(action: { $0 }, stateCollection: \Book.list, unknown: entries)
            <> entry.liftToCollection(action: { $0 }, stateCollection: \Book.keyed, unknown: entries)
    }

    @Test("ignored by default, and counted once an action, beside the other counters", arguments: engines)
    func ignored(engine: StoreEngine) async {
        let store = store(reducer(), engine)
        for id in [1, 2, 3, 1] { store.dispatch(Action(id: id, action: 5)) }
        await store.drain()
        #expect(store.state.table == [1: 10] && store.state.list == [Entry(id: 1, sum: 10)])
        #expect(store.metrics.reduced == 4 && store.metrics.unmatched == 2)
    }

    @Test("inserted: with its id, reduced at once, not counted")
    func inserted() {
        let store = store(reducer(numbers: .insert(default: 100), entries: .insert { Entry(id: $0, sum: 100) }))
        for id in [2, 2, 1] { store.dispatch(Action(id: id, action: 5)) }
        #expect(store.state.table == [1: 5, 2: 110])
        #expect(store.state.list == [Entry(id: 1, sum: 5), Entry(id: 2, sum: 110)])
        #expect(Array(store.state.keyed) == store.state.list)
        #expect(store.metrics.unmatched == 0)
    }

    @Test("a reducer that does nothing inserts; a collection that cannot grow does not")
    func insertedOnly() {
        let table = Reducer<Int, Int>.identity.liftToDictionary(
            action: { (action: Action) in action },
            stateDictionary: \Book.table,
            unknown: .insert(default: 7)
        )
        let fixed = entry.liftToCollection(
            action: { (action: Action) in action },
            stateCollection: \Book.fixed,
            unknown: .insert { Entry(id: $0) }
        )
        let store = store(table <> fixed)
        store.dispatch(Action(id: 9, action: 1))
        #expect(store.state.table[9] == 7 && store.state.fixed[0] == Entry(id: 1))
    }

    @Test("reported once a lift, to the handler of the store, which it releases at its end", arguments: engines)
    func reported(engine: StoreEngine) async {
        let reports = Recorder<String>()
        weak var released: Recorder<Int>?
        let store = store(reducer(numbers: .report, entries: .report), engine)
        do {
            let kept = Recorder<Int>()
            released = kept
            store.onUnmatched { report in
                withExtendedLifetime(kept) { reports.record("\(report.path) \(report.id)") }
            }
        }
        for id in [2, 3, 1, 2] { store.dispatch(Action(id: id, action: 5)) }
        await store.drain()
        #expect(reports.all == ["\\Book.table 2", "\\Book.list 2", "\\Book.keyed 2"])
        #expect(store.metrics.unmatched == 3)
        #expect(released != nil)
        _ = await store.shutdown()
        #expect(await eventually { released == nil })
    }

    @Test("a reducer that a middleware runs on a copy of the state counts and reports nothing", arguments: engines)
    func onACopy(engine: StoreEngine) async {
        let reports = Recorder<String>()
        let reducer = reducer(numbers: .report)
        // Wherever a middleware may reduce: before the reducers, after them, in its IO.
        let middleware = AfterReduce<Action, Book>(
            handle: { action, state in
                var copy = state()
                reducer.reduce(Action(id: 9, action: 1), &copy)
                return IO { _ in
                    var copy = state()
                    reducer.reduce(Action(id: 9, action: 1), &copy)
                }
            },
            afterReduce: { _, state in
                var copy = state()
                reducer.reduce(Action(id: 9, action: 1), &copy)
            }
        )
        let store = ReduxStoreBase(
            initialState: Book(),
            reducer: reducer,
            middleware: middleware,
            engine: engine
        )
        store.onUnmatched { reports.record($0.id) }
        for id in [1, 1, 2] { store.dispatch(Action(id: id, action: 5)) }
        await store.drain()
        #expect(store.metrics.reduced == 3 && store.metrics.unmatched == 1)
        #expect(reports.all == ["2"])
    }

    @Test("a report says in one line which element of what was not there")
    func described() {
        let report = UnmatchedAction(path: "\\Book.list", id: "7")
        #expect("\(report)" == "an action for the unknown element 7 of \\Book.list was ignored")
    }

    @Test("by another property")
    func otherLifts() {
        let byProperty = entry.liftToCollection(
            action: { (action: Action) in action },
            stateCollection: \Book.list,
            identifier: \Entry.sum,
            unknown: .insert { Entry(id: 50, sum: $0) }
        )
        let store = store(byProperty)
        store.dispatch(Action(id: 3, action: 1))
        #expect(store.state.list.last == Entry(id: 50, sum: 4))
    }
}

/// A middleware with closures for `handle` and `afterReduce`.
private struct AfterReduce<Action, State>: MiddlewareProtocol {
    let handle: (Action, @escaping GetState<State>) -> IO<Action>
    let afterReduce: (Action, @escaping GetState<State>) -> Void

    func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Action> {
        handle(action, state)
    }

    func afterReduce(
        action: Action,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>,
        output: AnyActionHandler<Action>
    ) {
        afterReduce(action, state)
    }
}
