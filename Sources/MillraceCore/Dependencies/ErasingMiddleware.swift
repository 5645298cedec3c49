// SPDX-License-Identifier: Apache-2.0

/// A middleware type that erases the types of other middlewares: ``AnyMiddleware`` and ``ComposedMiddleware``.
///
/// If the context asks for a reader of such a type, the lifts of ``MiddlewareReader`` return one.
public protocol ErasingMiddleware: MiddlewareProtocol {
    /// Creates a middleware that holds a type-erased middleware.
    init(erasing middleware: AnyMiddleware<InputActionType, OutputActionType, StateType>)
}

extension AnyMiddleware: ErasingMiddleware {
    /// Copies the type-erased middleware.
    @inlinable
    public init(erasing middleware: AnyMiddleware) {
        self = middleware
    }
}

extension ComposedMiddleware: ErasingMiddleware {
    /// Holds the parts of a composite, no part for an identity, or otherwise the middleware itself.
    @inlinable
    public init(erasing middleware: AnyMiddleware<InputActionType, OutputActionType, StateType>) {
        self.init(children: middleware.parts)
    }
}
