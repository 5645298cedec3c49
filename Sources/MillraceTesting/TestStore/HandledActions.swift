// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// What a store of a test has handled, and its state.
final class HandledActions<Action, State>: @unchecked Sendable {
    // Unchecked because the variables belong to the holder of the world's token.
    var handled: [DispatchedAction<Action>] = []
    fileprivate(set) var reader: StateReader<State>?

    /// Returns what was handled since the last call.
    func take() -> [DispatchedAction<Action>] {
        defer { handled = [] }
        return handled
    }
}

/// Notes each action that a store handles. In front of all other middlewares.
struct NotingMiddleware<Action, State>: MiddlewareProtocol {
    let log: HandledActions<Action, State>

    mutating func bind(_ binding: MiddlewareBinding<Action, State>) {
        log.reader = binding.state
    }

    func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Action> {
        log.handled.append(DispatchedAction(action, dispatcher: dispatcher))
        return .pure()
    }
}
