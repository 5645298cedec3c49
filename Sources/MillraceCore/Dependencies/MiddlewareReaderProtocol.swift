// SPDX-License-Identifier: Apache-2.0

/// What makes a middleware once it is given what the middleware depends on; ``MiddlewareReader`` is the one you use.
public protocol MiddlewareReaderProtocol<Dependencies, MiddlewareType> {
    /// What has to be injected.
    associatedtype Dependencies
    /// What is made.
    associatedtype MiddlewareType: MiddlewareProtocol

    /// Makes a middleware.
    var inject: @Sendable (Dependencies) -> MiddlewareType { get }

    /// A reader that calls `inject` whenever a middleware is asked for.
    @preconcurrency
    init(inject: @escaping @Sendable (Dependencies) -> MiddlewareType)
}
