// SPDX-License-Identifier: Apache-2.0

import MillraceSubstates

/// Where tasks come from.
package protocol TaskService: Sendable {
    func titles() async throws -> [String]
}

/// Functions from inputs to streams of actions.
package enum TasksActionCreator {
    /// Loads the tasks of a service. An error becomes an action.
    package static func load(from service: some TaskService) -> ActionStream {
        ActionStream(
            { TasksAction.loading },
            { TasksAction.loaded(titles: try await service.titles()) },
            catchErrors: { error in TasksAction.failed(reason: "The tasks could not be loaded: \(error)") }
        )
    }
}
