// SPDX-License-Identifier: Apache-2.0

/// A middleware: it sees every action before the reducers.
package protocol Middleware<Action, State> {
    associatedtype Action
    associatedtype State
    func handle(action: Action, from source: Source, state: @escaping () -> State) -> IO<Action>
}

/// A middleware whose type is hidden in a closure.
package struct ErasedMiddleware<Action, State>: Middleware {
    private let body: (Action, Source, @escaping () -> State) -> IO<Action>

    package init<Base: Middleware>(_ base: Base) where Base.Action == Action, Base.State == State {
        body = base.handle
    }

    package func handle(action: Action, from source: Source, state: @escaping () -> State) -> IO<Action> {
        body(action, source, state)
    }
}

/// A middleware that calls several middlewares in order, and runs their IOs in the opposite order.
package struct ComposedMiddleware<Action, State>: Middleware {
    private var middlewares: [ErasedMiddleware<Action, State>] = []

    package init() {}

    package mutating func append<Base: Middleware>(_ base: Base) where Base.Action == Action, Base.State == State {
        middlewares.append(ErasedMiddleware(base))
    }

    package func handle(action: Action, from source: Source, state: @escaping () -> State) -> IO<Action> {
        middlewares.reduce(.pure()) { later, middleware in
            .composed(middleware.handle(action: action, from: source, state: state), later)
        }
    }
}
