// SPDX-License-Identifier: Apache-2.0

/// A middleware that hides the type of others: ``AnyMiddleware`` and ``ComposedMiddleware``.
///
/// Where a reader of one is asked for, the lifts of ``MiddlewareReader`` make it.
public protocol ErasingMiddleware: MiddlewareProtocol {
    /// Holds a middleware whose type is hidden.
    init(erasing middleware: AnyMiddleware<InputActionType, OutputActionType, StateType>)
}

extension AnyMiddleware: ErasingMiddleware {
    /// The same one.
    @inlinable
    public init(erasing middleware: AnyMiddleware) {
        self = middleware
    }
}

extension ComposedMiddleware: ErasingMiddleware {
    /// Holds its parts if it is a composite, none if it is an identity, else the one.
    @inlinable
    public init(erasing middleware: AnyMiddleware<InputActionType, OutputActionType, StateType>) {
        self.init(children: middleware.parts)
    }
}
