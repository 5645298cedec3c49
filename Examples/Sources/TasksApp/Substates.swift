// SPDX-License-Identifier: Apache-2.0

import MillraceSubstates

package struct TaskItem: Sendable, Equatable {
    package var number: Int
    package var title: String
    package var isDone = false

    package init(number: Int, title: String, isDone: Bool = false) {
        self.number = number
        self.title = title
        self.isDone = isDone
    }
}

/// The tasks, in the order in which they were added.
package struct Tasks: SubstateType, Equatable {
    package var items: [TaskItem] = []
    package var isLoading = false
    package var problem: String?

    package init(items: [TaskItem] = []) {
        self.items = items
    }
}

/// Which tasks are shown.
package enum Filter: String, SubstateType, Equatable, CaseIterable {
    case all, open, done
}

extension SubstateStore {
    /// The tasks now, and each time that they have changed.
    package var tasks: StoreStream<Tasks> { states(of: Tasks.self) }

    /// The filter now, and each time that it has changed.
    package var filter: StoreStream<Filter> { states(of: Filter.self) }
}
