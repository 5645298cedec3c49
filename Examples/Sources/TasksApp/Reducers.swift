// SPDX-License-Identifier: Apache-2.0

import MillraceSubstates

extension RoutingReducer {
    /// The reducers of the app, each found by the type of the action.
    package static let tasksApp = RoutingReducer()
        .routing(TasksAction.self, to: Tasks.self) { action, tasks in
            switch action {
            case .add(let title):
                tasks.add(title)
            case .complete(let number):
                guard let index = tasks.items.firstIndex(where: { $0.number == number }) else {
                    return tasks.problem = "There is no task \(number)."
                }
                tasks.items[index].isDone = true
                tasks.problem = nil
            case .loading:
                tasks.isLoading = true
            case .loaded(let titles):
                tasks.isLoading = false
                for title in titles { tasks.add(title) }
            case .failed(let reason):
                tasks.isLoading = false
                tasks.problem = reason
            }
        }
        .routing(FilterAction.self, to: Filter.self) { action, filter in
            if case .show(let chosen) = action { filter = chosen }
        }
}

extension Tasks {
    fileprivate mutating func add(_ title: String) {
        items.append(TaskItem(number: items.count + 1, title: title))
        problem = nil
    }
}
