// SPDX-License-Identifier: Apache-2.0

// Declarations that never compile: the compiler chooses one only where nothing else fits, and its message says how to
// correct the mistake. scripts/errors-test.sh compares the messages.
extension ComposedMiddlewareBuilder {
    /// Takes a reader without its dependencies: it does not compile, and the message says what is missing.
    @available(*, unavailable, message: "the middleware needs its dependencies: inject them, .inject(dependencies)")
    public static func buildExpression<Dependencies, M: MiddlewareProtocol>(
        _ reader: MiddlewareReader<Dependencies, M>
    ) -> Composed {
        .identity
    }

    /// Takes a middleware that was not lifted: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the middleware is not lifted to the block's actions and state: .lift(inputAction:outputAction:state:)"
    )
    @_disfavoredOverload
    public static func buildExpression<M: MiddlewareProtocol>(_ middleware: M) -> Composed {
        .identity
    }
}
