// SPDX-License-Identifier: Apache-2.0

/// A factory that creates a middleware from its dependencies; ``MiddlewareReader`` is the type that you use.
public protocol MiddlewareReaderProtocol<Dependencies, MiddlewareType> {
    /// The type of the injected dependencies.
    associatedtype Dependencies
    /// The type of the created middleware.
    associatedtype MiddlewareType: MiddlewareProtocol

    /// Creates a middleware. Any thread may call it, because a ``MiddlewareReader`` made of this reader may be on any
    /// thread.
    ///
    /// It is not `@Sendable`, so a reader of your own may have a plain closure, as a reader written for SwiftRex has.
    var inject: (Dependencies) -> MiddlewareType { get }

    /// Creates a reader that calls `inject` for each requested middleware.
    @preconcurrency
    init(inject: @escaping @Sendable (Dependencies) -> MiddlewareType)
}
