// SPDX-License-Identifier: Apache-2.0

import Millrace

/// A middleware that does nothing. There are three of different types, as in an app.
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

/// A middleware of one feature that does nothing, to be lifted.
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

/// A middleware that reads the state at every action. Its IO depends on the value, so the compiler cannot remove the
/// read.
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

/// A middleware that looks at the state after the reducers. What it dispatches depends on the value, so the compiler
/// cannot remove the output.
struct WatchingCounterMiddleware: MiddlewareProtocol {
    func handle(
        action: CounterAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Int>
    ) -> IO<CounterAction> { .pure() }

    func afterReduce(
        action: CounterAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Int>,
        output: AnyActionHandler<CounterAction>
    ) {
        if state() == .min { output.dispatch(.decrement) }
    }
}

/// A middleware that answers each action of the counter with a tick.
struct AnsweringMiddleware: MiddlewareProtocol {
    func handle(
        action: AppAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AppState>
    ) -> IO<AppAction> { .pure() }

    func afterReduce(
        action: AppAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AppState>,
        output: AnyActionHandler<AppAction>
    ) {
        if case .counter = action { output.dispatch(.tick(1)) }
    }
}
