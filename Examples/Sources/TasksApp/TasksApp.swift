// SPDX-License-Identifier: Apache-2.0

import MillraceSubstates

/// The app without its terminal.
package struct TasksApp<Service: TaskService>: Sendable {
    package let store: SubstateStore
    private let service: Service

    /// Creates the app. Its substates are registered while the store runs.
    package init(service: Service, log: @escaping @Sendable (String) -> Void) {
        self.service = service
        store = SubstateStore(reducer: .tasksApp) { error in log("error: \(error)") }
        store.register(middlewares: [LoggingMiddleware(write: log)])
        store.dispatch(.add(states: [Tasks(), Filter.all]))
    }

    /// Runs a command. Returns false if it was the last one.
    package func run(_ command: Command) -> Bool {
        switch command {
        case .add(let title): store.dispatch(TasksAction.add(title: title))
        case .complete(let number): store.dispatch(TasksAction.complete(number: number))
        case .show(let filter): store.dispatch(FilterAction.show(filter))
        case .load: store.dispatch(actionsOf: TasksActionCreator.load(from: service), token: "load")
        case .quit: return false
        }
        return true
    }

    /// Waits until all that the commands have begun is done.
    package func settle() async {
        await store.drain()
        while store.parts.effects.runningEffects > 0 { try? await Task.sleep(for: .milliseconds(1)) }
        await store.drain()
    }
}
