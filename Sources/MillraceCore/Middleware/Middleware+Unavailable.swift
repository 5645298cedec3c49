// SPDX-License-Identifier: Apache-2.0

// Declarations that never compile: the compiler chooses one only where nothing else fits, and its message says how to
// correct the mistake. scripts/errors-test.sh compares the messages.

/// Composes two middlewares with different actions or states: it does not compile, and the message says why.
@available(
    *,
    unavailable,
    message: "the middlewares have different actions or states: lift them, .lift(inputAction:outputAction:state:)"
)
@_disfavoredOverload
public func <> <First: MiddlewareProtocol, Second: MiddlewareProtocol>(lhs: First, rhs: Second) -> First {
    lhs
}

/// Composes a middleware with one that never dispatches: it does not compile, and the message says why.
@available(
    *,
    unavailable,
    message: "the second middleware's output is Never: .lift(outputAction: absurd); for a logger, first.logger()"
)
public func <> <First: MiddlewareProtocol, Second: MiddlewareProtocol>(lhs: First, rhs: Second) -> First
where
    First.InputActionType == Second.InputActionType,
    Second.OutputActionType == Never,
    First.StateType == Second.StateType
{
    lhs
}

extension MiddlewareProtocol {
    /// Names the middleware with a string: it does not compile, and the message says how to.
    @available(
        *,
        unavailable,
        message: "a name made at run time is kept for ever: write .named(MiddlewareName(interning: text))"
    )
    @_disfavoredOverload
    public func named(_ text: String) -> NamedMiddleware<Self> {
        named(MiddlewareName(interning: text))
    }

    /// Lifts to a dictionary as if it were a collection: it does not compile, and the message says how to.
    @available(*, unavailable, message: "the state is a dictionary: write liftToDictionary")
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Key: Hashable>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<Key, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<Key, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> [Key: StateType],
        vanished: VanishedElement = .skip
    ) -> LiftToElementMiddleware<GlobalInput, GlobalOutput, GlobalState, Key, Self> {
        liftToDictionary(inputAction: inputAction, outputAction: outputAction, state: state, vanished: vanished)
    }
}
