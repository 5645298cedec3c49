// SPDX-License-Identifier: Apache-2.0

import MillraceSubstates

/// What the terminal shows.
package struct Screen: Sendable, Equatable {
    package var filter: Filter
    package var rows: [TaskItem]
    package var summary: String
    package var problem: String?
}

/// Pure functions from the store to what is shown.
package enum TasksTransformer {
    /// The screen now, and each time that it looks different.
    package static func screens(of store: SubstateStore) -> StoreStream<Screen> {
        store.state.compactMap(screen).removeDuplicates()
    }

    /// The screen of a state; nil while the substates are not registered.
    package static func screen(of state: StoreState) -> Screen? {
        guard let tasks = state[Tasks.self], let filter = state[Filter.self] else { return nil }
        let done = tasks.items.count { $0.isDone }
        return Screen(
            filter: filter,
            rows: tasks.items.filter { filter == .all || $0.isDone == (filter == .done) },
            summary: tasks.isLoading ? "loading…" : "\(done) of \(tasks.items.count) done",
            problem: tasks.problem
        )
    }
}
