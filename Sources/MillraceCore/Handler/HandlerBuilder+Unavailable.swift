// SPDX-License-Identifier: Apache-2.0

// Declarations that never compile: the compiler chooses one only where nothing else fits, and its message says how to
// correct the mistake. scripts/errors-test.sh compares the messages.
extension HandlerBuilder {
    /// Takes a reader without its dependencies: it does not compile, and the message says what is missing.
    @available(*, unavailable, message: "the middleware needs its dependencies: inject them, .inject(dependencies)")
    public static func buildExpression<Dependencies, M: MiddlewareProtocol>(
        _ reader: MiddlewareReader<Dependencies, M>
    ) -> Handler<Void, Identity> {
        .identity()
    }

    /// Takes a handler without its dependencies: it does not compile, and the message says what is missing.
    @available(*, unavailable, message: "the handler needs its dependencies: inject them, .inject(dependencies)")
    @_disfavoredOverload
    public static func buildExpression<Dependencies, M: MiddlewareProtocol>(
        _ handler: Handler<Dependencies, M>
    ) -> Handler<Void, Identity>
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        .identity()
    }

    /// Takes a handler that was not lifted: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the handler is not lifted to the block's actions and state: .lift(inputAction:outputAction:state:)"
    )
    @_disfavoredOverload
    public static func buildExpression<M: MiddlewareProtocol>(_ handler: Handler<Void, M>) -> Handler<Void, Identity> {
        .identity()
    }

    /// Takes a middleware that was not lifted: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the middleware is not lifted to the block's actions and state: .lift(inputAction:outputAction:state:)"
    )
    @_disfavoredOverload
    public static func buildExpression<M: MiddlewareProtocol>(_ middleware: M) -> Handler<Void, Identity> {
        .identity()
    }

    /// Takes a reducer that was not lifted: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the reducer is not lifted to the block's action and state: .lift(action:state:)"
    )
    @_disfavoredOverload
    public static func buildExpression<Action, State>(_ reducer: Reducer<Action, State>) -> Handler<Void, Identity> {
        .identity()
    }
}
