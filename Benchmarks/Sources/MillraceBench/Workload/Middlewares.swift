// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Sees every action and does nothing; three of different types, as in an app.
struct FirstMiddleware: MiddlewareProtocol {
    func handle(
        action: AppAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AppState>
    ) -> IO<AppAction> { .pure() }
}

struct SecondMiddleware: MiddlewareProtocol {
    func handle(
        action: AppAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AppState>
    ) -> IO<AppAction> { .pure() }
}

struct ThirdMiddleware: MiddlewareProtocol {
    func handle(
        action: AppAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AppState>
    ) -> IO<AppAction> { .pure() }
}

/// The same for one feature, to be lifted.
struct FirstCounterMiddleware: MiddlewareProtocol {
    func handle(
        action: CounterAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Int>
    ) -> IO<CounterAction> { .pure() }
}

struct SecondCounterMiddleware: MiddlewareProtocol {
    func handle(
        action: CounterAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Int>
    ) -> IO<CounterAction> { .pure() }
}

/// Reads the state at every action. The answer depends on what it read, so that the reading cannot be left out.
struct ReadingCounterMiddleware: MiddlewareProtocol {
    func handle(
        action: CounterAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Int>
    ) -> IO<CounterAction> {
        if state() == .min { return IO { $0.dispatch(.decrement) } }
        return .pure()
    }
}
