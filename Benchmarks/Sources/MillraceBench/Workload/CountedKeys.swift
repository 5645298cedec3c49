// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The state of the workload with a dictionary of 256 entries, of which each action changes one.
struct CountedKeys: Sendable {
    var app = AppState()
    var counts = Dictionary(uniqueKeysWithValues: (0..<256).map { ($0, 0) })

    static func store(
        _ middleware: sending some MiddlewareProtocol<AppAction, AppAction, CountedKeys>
    ) -> ReduxStoreBase<AppAction, CountedKeys> {
        ReduxStoreBase(
            initialState: CountedKeys(),
            reducer: AppState.reducer.lift(state: \CountedKeys.app)
                <> Reducer.reduce { action, state in
                    let number = if case .tick(let number) = action { number } else { 0 }
                    state.counts[number & 255, default: 0] &+= 1
                },
            middleware: middleware,
            engine: .caller,
            publication: .onDemand
        )
    }
}
