// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

private enum TaskAction: Equatable, Sendable {
    case toggle
    case rename(String)
}

private struct Task: Equatable, Identifiable, Sendable {
    let id: String
    var name = ""
    var isDone = false
}

private enum ListAction: Equatable, Sendable {
    case task(ElementIDAction<String, TaskAction>)
    case row(ElementIndexAction<Int, TaskAction>)
    case remove(String)

    var task: ElementIDAction<String, TaskAction>? {
        get { if case .task(let value) = self { value } else { nil } }
        set { if case .task = self, let newValue { self = .task(newValue) } }
    }

    var row: ElementIndexAction<Int, TaskAction>? {
        if case .row(let value) = self { value } else { nil }
    }
}

private struct ListState: Equatable, Sendable {
    var tasks = [Task(id: "a"), Task(id: "b")]
}

/// A reducer and a middleware of one element, lifted to all.
@Suite("Readme: lifting to collections", .timeLimit(.minutes(5)))
struct CollectionLiftTests {
    private let taskReducer = Reducer<TaskAction, Task>.reduce { action, task in
        switch action {
        case .toggle: task.isDone.toggle()
        case .rename(let name): task.name = name
        }
    }

    private func state(after actions: ListAction..., of reducer: Reducer<ListAction, ListState>) -> [Task] {
        var state = ListState()
        for action in actions { reducer.reduce(action, &state) }
        return state.tasks
    }

    @Test("a reducer, by id, by another identifier, by index")
    func reducers() {
        let done = [Task(id: "a"), Task(id: "b", isDone: true)]
        let byID: Reducer<ListAction, ListState> = taskReducer.liftToCollection(
            action: \.task,
            stateCollection: \.tasks
        )
        #expect(state(after: .task(.init(id: "b", action: .toggle)), of: byID) == done)
        #expect(state(after: .task(.init(id: "z", action: .toggle)), of: byID) == ListState().tasks)
        let byName: Reducer<ListAction, ListState> = taskReducer.liftToCollection(
            action: \ListAction.task,
            stateCollection: \ListState.tasks,
            identifier: \Task.id
        )
        #expect(state(after: .task(.init(id: "b", action: .toggle)), of: byName) == done)
        let byIndex: Reducer<ListAction, ListState> = taskReducer.liftToCollection(
            action: \ListAction.row,
            stateCollection: \ListState.tasks
        )
        #expect(state(after: .row(.init(index: 1, action: .toggle)), of: byIndex) == done)
        #expect(state(after: .row(.init(index: 2, action: .toggle)), of: byIndex) == ListState().tasks)
    }

    private struct Namer: MiddlewareProtocol, Sendable {
        func handle(
            action: TaskAction,
            from dispatcher: ActionSource,
            state: @escaping GetState<Task>
        ) -> IO<TaskAction> {
            guard action == .toggle else { return .pure() }
            return IO { output in output.dispatch(.rename(state().isDone ? "done" : "open"), from: dispatcher) }
        }
    }

    @Test("a middleware and effects, by closures and by key paths; each element has its own tokens")
    func middlewares() {
        let byClosures = Namer().liftToCollection(
            inputAction: { (action: ListAction) in action.task },
            outputAction: { (action: ElementIDAction<String, TaskAction>) in ListAction.task(action) },
            state: { (state: ListState) in state.tasks }
        )
        let byPaths = Namer().liftToCollection(action: \ListAction.task, stateCollection: \ListState.tasks)
        let started = Recorder<String>()
        let effects = EffectMiddleware<TaskAction, TaskAction, Task, Void>.onAction { action, _, state in
            guard action == .toggle else { return .doNothing }
            let id = state().id
            return .promise(token: "watch") { _, _ in started.record(id) }
        }
        let watching = effects.liftToCollection(action: \ListAction.task, stateCollection: \ListState.tasks)
        let store = ReduxStoreBase(
            initialState: ListState(),
            reducer: taskReducer.liftToCollection(action: \ListAction.task, stateCollection: \ListState.tasks),
            middleware: byClosures <> byPaths <> watching,
            engine: .caller,
            publication: .everyAction
        )
        store.dispatch(.task(ElementIDAction(id: "a", action: .toggle)))
        store.dispatch(.task(ElementIDAction(id: "b", action: .toggle)))
        #expect(store.state.tasks.map(\.name) == ["done", "done"])
        #expect(started.all == ["a", "b"])
        #expect(watching.runningEffects == 2)
        #expect(store.metrics.reduced == 6)
    }
}
