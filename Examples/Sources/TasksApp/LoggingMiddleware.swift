// SPDX-License-Identifier: Apache-2.0

import MillraceSubstates

/// Writes each action, and how many substates there are then.
package struct LoggingMiddleware: MiddlewareType {
    private let write: @Sendable (String) -> Void

    package init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    package func observe(store: SubstateStore) {
        let write = write
        store.stateLastAction.subscribe { pair in
            let action = pair.lastAction.map { "\($0)" } ?? "none yet"
            write("last action: \(action), \(pair.currentState.count) substates")
        }
    }
}
