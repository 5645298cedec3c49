// SPDX-License-Identifier: Apache-2.0

/// A factory that creates a middleware from its dependencies.
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
/// With readers, you write, lift and compose middlewares without knowing the real services. The code that creates the
/// store injects all of them at once; a test injects its own.
///
/// **Semantics.** No middleware is created before ``inject`` is called. *Every* call creates all middlewares anew: two
/// stores injected from one reader share only the values that the reader captured. A composed reader passes the same
/// dependencies to each of its readers.
///
/// **Cost.** Some closures when the store is created. The resulting middleware has its concrete type, and is
/// specialised as if you had written it.
public struct MiddlewareReader<Dependencies, MiddlewareType: MiddlewareProtocol>: MiddlewareReaderProtocol, Sendable {
    /// The closure that creates a middleware; each call creates a new one.
    public let inject: @Sendable (Dependencies) -> MiddlewareType

    /// Creates a reader that calls `inject` for each requested middleware.
    @preconcurrency
    @inlinable
    public init(inject: @escaping @Sendable (Dependencies) -> MiddlewareType) {
        self.inject = inject
    }
}
