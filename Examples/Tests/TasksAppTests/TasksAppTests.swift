// SPDX-License-Identifier: Apache-2.0

import MillraceSubstates
import MillraceTesting
import Synchronization
import TasksApp
import Testing

@Suite("the tasks app")
struct TasksAppTests {
    private struct Titles: TaskService {
        var result: Result<[String], Refused>

        func titles() async throws -> [String] { try result.get() }
    }

    private struct Refused: Error {}

    private let parts = SubstateParts(reducer: .tasksApp)

    private func makeTest(_ substates: StoreState) -> TestStore<AnyActionType, StateLastAction> {
        TestStore(
            initialState: StateLastAction(currentState: substates),
            reducer: parts.reducer,
            middleware: parts.effects,
            stateEquating: StateLastAction.haveEqualStates
        )
    }

    @Test("tasks are added and completed")
    func addAndComplete() {
        let store = makeTest([Tasks(), Filter.all])
        store.send(TasksAction.add(title: "buy flour")) { pair in
            try pair.currentState.update(Tasks.self) { $0.items = [TaskItem(number: 1, title: "buy flour")] }
        }
        store.send(TasksAction.complete(number: 1)) { pair in
            try pair.currentState.update(Tasks.self) { $0.items[0].isDone = true }
        }
        store.send(TasksAction.complete(number: 2)) { pair in
            try pair.currentState.update(Tasks.self) { $0.problem = "There is no task 2." }
        }
        store.finish()
    }

    @Test("the filter changes, and the screen shows the tasks that it lets through")
    func filter() throws {
        let tasks = [TaskItem(number: 1, title: "a", isDone: true), TaskItem(number: 2, title: "b")]
        let store = makeTest([Tasks(items: tasks), Filter.all])
        store.send(FilterAction.show(.open)) { pair in
            try pair.currentState.update(Filter.self) { $0 = .open }
        }
        let screen = try #require(TasksTransformer.screen(of: store.state.currentState))
        #expect(screen.rows.map(\.title) == ["b"])
        #expect(screen.summary == "1 of 2 done")
        #expect(screen.text(isColoured: false) == "Tasks   all  [open]  done \n  · 2 b\n1 of 2 done")
        store.finish()
    }

    @Test("loading says so, then shows the tasks")
    func loading() {
        let test = makeTest([Tasks(), Filter.all])
        let store = SubstateStore(test.store, parts: parts)
        store.dispatch(actionsOf: TasksActionCreator.load(from: Titles(result: .success(["a"]))))
        test.receive(where: { $0 is RunActions })
        test.receive(case: { $0 as? TasksAction }) { pair in
            try pair.currentState.update(Tasks.self) { $0.isLoading = true }
        }
        test.receive(where: { $0 as? TasksAction == .loaded(titles: ["a"]) }) { pair in
            try pair.currentState.update(Tasks.self) { tasks in
                tasks.isLoading = false
                tasks.items = [TaskItem(number: 1, title: "a")]
            }
        }
        test.finish()
    }

    @Test("an error of the service becomes an action, and is shown")
    func failure() {
        let test = makeTest([Tasks(), Filter.all])
        test.exhaustivity = .off
        let store = SubstateStore(test.store, parts: parts)
        store.dispatch(actionsOf: TasksActionCreator.load(from: Titles(result: .failure(Refused()))))
        test.settle()
        let screen = TasksTransformer.screen(of: test.state.currentState)
        #expect(screen?.problem == "The tasks could not be loaded: Refused()")
        #expect(screen?.summary == "0 of 0 done")
    }

    @Test("the whole app runs commands, and logs each action")
    func program() async {
        let log = Log()
        let app = TasksApp(service: Titles(result: .success(["a", "b"])), log: log.write)
        let screens = Log()
        TasksTransformer.screens(of: app.store).subscribe { screens.write($0.summary) }
        for line in ["add c", "load", "done 1", "show done"] {
            guard let command = Command(line) else { continue }
            #expect(app.run(command))
            await app.settle()
        }
        #expect(!app.run(.quit))
        #expect(
            screens.lines == ["0 of 0 done", "0 of 1 done", "loading…", "0 of 3 done", "1 of 3 done", "1 of 3 done"]
        )
        #expect(log.lines.count == 8)
        #expect(log.lines.first == "last action: none yet, 0 substates")
        #expect(log.lines.last == "last action: show(TasksApp.Filter.done), 2 substates")
    }

    @Test("lines that are no commands are not taken for one", arguments: ["", "add", "done x", "show some", "load it"])
    func noCommands(line: String) {
        #expect(Command(line) == nil)
    }

    private final class Log: Sendable {
        private let kept = Mutex<[String]>([])

        var lines: [String] { kept.withLock { $0 } }

        @Sendable func write(_ line: String) { kept.withLock { $0.append(line) } }
    }
}
