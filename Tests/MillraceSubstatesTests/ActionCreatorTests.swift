// SPDX-License-Identifier: Apache-2.0

import MillraceSubstates
import MillraceTesting
import Testing

@Suite("action creators")
struct ActionCreatorTests {
    private enum Creator {
        static func load(_ load: @escaping @Sendable () async throws -> String) -> ActionStream {
            ActionStream(
                { TasksAction.add("loading") },
                { nil },
                { TasksAction.add(try await load()) },
                { TasksAction.add("done") },
                catchErrors: { TasksAction.failed("\($0)") }
            )
        }
    }

    private let errors = Kept<SubstateError>()

    private func makeTest() -> (TestStore<AnyActionType, StateLastAction>, SubstateStore) {
        let parts = SubstateParts(reducer: routes, onError: errors.keep)
        let test = TestStore(
            initialState: StateLastAction(currentState: [Tasks()]),
            reducer: parts.reducer,
            middleware: parts.effects,
            stateEquating: StateLastAction.haveEqualStates
        )
        return (test, SubstateStore(test.store, parts: parts))
    }

    private func receive(_ test: TestStore<AnyActionType, StateLastAction>, _ title: String) {
        test.receive(where: { $0 as? TasksAction == .add(title) }) {
            try $0.currentState.update(Tasks.self) { $0.titles.append(title) }
        }
    }

    @Test("a stream that looks at its store does not keep it after its end")
    func release() async throws {
        let ended = Kept<Bool>()
        weak var base: ReduxStoreBase<AnyActionType, StateLastAction>?
        do {
            let store = SubstateStore(reducer: routes)
            base = store.base
            store.dispatch(
                actionsOf: ActionStream({
                    _ = store.currentState
                    ended.keep(true)
                    return nil
                })
            )
            while ended.all.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        }
        while base != nil { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("the actions of a stream are dispatched one by one, after the action that began it")
    func steps() {
        let (test, store) = makeTest()
        store.dispatch(actionsOf: Creator.load { "milk" })
        test.receive(where: { ($0 as? RunActions)?.name == "ActionStream" })
        receive(test, "loading")
        receive(test, "milk")
        receive(test, "done")
        test.finish()
    }

    @Test("an error of a step becomes an action, and the rest of the steps do not run")
    func mappedError() {
        let (test, store) = makeTest()
        store.dispatch(actionsOf: Creator.load { throw Problem() })
        test.receive(where: { $0 is RunActions })
        receive(test, "loading")
        test.receive(where: { $0 as? TasksAction == .failed("Problem()") }) {
            try $0.currentState.update(Tasks.self) { $0.titles.append("failed: Problem()") }
        }
        test.finish()
    }

    @Test("an error that nobody maps is reported; one that the dispatch maps becomes an action")
    func unmappedError() {
        let (test, store) = makeTest()
        test.exhaustivity = .off
        store.dispatch(actionsOf: ActionStream({ throw Problem() }))
        test.settle()
        #expect(errors.all == [.actionsFailed(stream: "ActionStream", error: "Problem()")])
        store.dispatch(actionsOf: ActionStream({ throw Problem() })) { _ in TasksAction.failed("mapped") }
        test.settle()
        #expect(test.state.currentState == [Tasks(titles: ["failed: mapped"])])
        #expect(errors.all.count == 1)
    }

    @Test("a sequence of one type of action is dispatched as it is")
    func typedSequence() {
        let (test, store) = makeTest()
        test.exhaustivity = .off
        let (actions, continuation) = AsyncStream.makeStream(of: TasksAction.self)
        for title in ["a", "b"] { continuation.yield(.add(title)) }
        continuation.finish()
        store.dispatch(actionsOf: actions)
        test.settle()
        #expect(test.state.currentState == [Tasks(titles: ["a", "b"])])
    }

    @Test("a token cancels a stream, and a new stream of a token replaces the old one")
    func tokens() {
        let (test, store) = makeTest()
        test.exhaustivity = .off
        let clock = test.clock
        let slow = { @Sendable (title: String) in
            ActionStream({
                try await clock.sleep(for: .seconds(1))
                return TasksAction.add(title)
            })
        }
        store.dispatch(actionsOf: slow("a"), token: "slow")
        store.dispatch(actionsOf: slow("b"), token: "slow")
        store.dispatch(actionsOf: slow("c"), token: "other")
        test.settle()
        store.cancel("other")
        test.advance(by: .seconds(2))
        test.settle()
        #expect(test.state.currentState == [Tasks(titles: ["b"])])
        #expect(errors.all.isEmpty)
    }

    @Test("actions of a test store are compared step by step, the substates by their equality")
    func testStore() {
        let (test, store) = makeTest()
        test.send(TasksAction.add("a")) { try $0.currentState.update(Tasks.self) { $0.titles = ["a"] } }
        store.dispatch(.reset)
        test.receive(case: { $0 as? StoreAction }) { $0.currentState = [] }
        test.finish()
    }
}
