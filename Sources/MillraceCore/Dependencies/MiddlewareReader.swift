// SPDX-License-Identifier: Apache-2.0

/// A middleware that is still to be given what it depends on.
///
/// ```swift
/// let auth = MiddlewareReader { (session: Session) in AuthMiddleware(session: session) }
/// let clock = MiddlewareReader { (now: @Sendable () -> Int) in ClockMiddleware(now: now) }
///
/// let app = auth.contramapDependencies { (world: World) in world.session }
///     <> clock.contramapDependencies { (world: World) in world.now }
/// let store = ReduxStoreBase(initialState: AppState(), reducer: reducer, middleware: app.inject(World()))
/// ```
///
/// So middlewares are written, lifted and composed where nothing is known of the real services, and the place that makes
/// the store injects all of them at once, or a test what it pleases.
///
/// **Semantics.** Nothing is made before ``inject``. *Every* call of it makes anew, all the way down: two stores injected
/// from one reader share nothing that the reader did not bring along. A reader made of others gives the same
/// dependencies to each.
///
/// **Cost.** Some closures when the store is made; the middleware that comes out has its concrete type, and is
/// specialised as if you had written it.
public struct MiddlewareReader<Dependencies, MiddlewareType: MiddlewareProtocol>: MiddlewareReaderProtocol, Sendable {
    /// Makes a middleware; each call makes a new one.
    public let inject: @Sendable (Dependencies) -> MiddlewareType

    /// A reader that calls `inject` whenever a middleware is asked for.
    @preconcurrency
    @inlinable
    public init(inject: @escaping @Sendable (Dependencies) -> MiddlewareType) {
        self.inject = inject
    }
}
