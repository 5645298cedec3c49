// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Middlewares that read one number of their state at every action, in one place each. What they do depends on it, so
/// the compiler cannot remove the read.
enum PartMiddleware {
    /// In `handle`, by the reader of the binding.
    struct Handling<Action, State: Countable>: PartReader {
        var reader: StateReader<State>?

        func handle(
            action: Action,
            from dispatcher: ActionSource,
            state: @escaping GetState<State>
        ) -> IO<Action> {
            if reader?.withState({ $0.count == .min }) == true { return IO { _ in stop() } }
            return .pure()
        }
    }

    /// In `handle`, by the getter that it receives.
    struct Getting<Action, State: Countable>: MiddlewareProtocol {
        func handle(
            action: Action,
            from dispatcher: ActionSource,
            state: @escaping GetState<State>
        ) -> IO<Action> {
            if state().count == .min { return IO { _ in stop() } }
            return .pure()
        }
    }

    /// In `afterReduce`, by the reader of the binding.
    struct Watching<Action, State: Countable>: PartReader {
        var reader: StateReader<State>?

        func handle(
            action: Action,
            from dispatcher: ActionSource,
            state: @escaping GetState<State>
        ) -> IO<Action> { .pure() }

        func afterReduce(
            action: Action,
            from dispatcher: ActionSource,
            state: @escaping GetState<State>,
            output: AnyActionHandler<Action>
        ) {
            if reader?.withState({ $0.count == .min }) == true { output.dispatch(action, from: dispatcher) }
        }
    }

    /// In its IO, by the reader of the binding.
    struct Working<Action, State: Countable>: PartReader {
        var reader: StateReader<State>?

        func handle(
            action: Action,
            from dispatcher: ActionSource,
            state: @escaping GetState<State>
        ) -> IO<Action> {
            guard let reader else { return .pure() }
            // Unsafe only because the action need not be Sendable: the pipeline's thread runs the IO.
            nonisolated(unsafe) let action = action
            return IO { output in
                if reader.withState({ $0.count == .min }) { output.dispatch(action, from: dispatcher) }
            }
        }
    }

    @inline(never)
    private static func stop() {}

    /// Returns an IO that is not pure. Never called: it keeps the compiler from removing the read.
    @inline(never)
    static func stop<Action>(_ action: Action) -> IO<Action> { IO { _ in stop() } }
}

/// A middleware that keeps the reader of its binding.
protocol PartReader: MiddlewareProtocol {
    var reader: StateReader<StateType>? { get set }
}

extension PartReader {
    mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        reader = binding.state
    }
}
