// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceLogging

/// The state of the workload with a dictionary, of which each action changes one entry.
struct CountedKeys: Sendable {
    typealias Identity = IdentityMiddleware<AppAction, AppAction, CountedKeys>

    var app = AppState()
    var counts: [Int: Int]

    /// - Parameter entries: A power of two.
    init(entries: Int) {
        counts = Dictionary(uniqueKeysWithValues: (0..<entries).map { ($0, 0) })
    }

    /// Returns a logger that keeps both states of an action, and formats and prints nothing.
    static func logger(
        _ log: ActionLog,
        queue: DispatchQueue = .global(qos: .utility),
        capacity: Int = 4_096,
        memory: LogMemoryLimit = LogMemoryLimit()
    ) -> LoggedMiddleware<Identity> {
        Identity().logger(
            actionTransform: .custom { _, _ in "" },
            actionPrinter: .custom { _ in },
            stateDiffTransform: .custom { _, _ in nil },
            stateDiffPrinter: .custom { _ in },
            queue: queue,
            capacity: capacity,
            memory: memory,
            log: log
        )
    }

    static func store(
        _ middleware: sending some MiddlewareProtocol<AppAction, AppAction, CountedKeys>,
        entries: Int = 256
    ) -> ReduxStoreBase<AppAction, CountedKeys> {
        ReduxStoreBase(
            initialState: CountedKeys(entries: entries),
            reducer: AppState.reducer.lift(state: \CountedKeys.app)
                <> Reducer.reduce { action, state in
                    let number = if case .tick(let number) = action { number } else { 0 }
                    state.counts[number & (state.counts.count &- 1), default: 0] &+= 1
                },
            middleware: middleware,
            engine: .caller,
            publication: .onDemand
        )
    }
}
