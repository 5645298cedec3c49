// SPDX-License-Identifier: Apache-2.0

/// What makes a middleware once it is given what the middleware depends on; ``MiddlewareReader`` is the one you use.
public protocol MiddlewareReaderProtocol<Dependencies, MiddlewareType> {
    /// What has to be injected.
    associatedtype Dependencies
    /// What is made.
    associatedtype MiddlewareType: MiddlewareProtocol

    /// Makes a middleware; on any thread, as a ``MiddlewareReader`` that is made of this one may be anywhere.
    ///
    /// Not `@Sendable`, so that a reader of your own may have a plain closure, as one written for SwiftRex does.
    var inject: (Dependencies) -> MiddlewareType { get }

    /// A reader that calls `inject` whenever a middleware is asked for.
    @preconcurrency
    init(inject: @escaping @Sendable (Dependencies) -> MiddlewareType)
}
