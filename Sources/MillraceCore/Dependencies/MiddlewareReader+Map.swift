// SPDX-License-Identifier: Apache-2.0

extension MiddlewareReaderProtocol {
    /// Returns a reader for a middleware without dependencies: each `inject` returns this middleware.
    ///
    /// A structure is copied. A class instance is shared by all callers of `inject`, and an effect middleware shares
    /// its running effects. Do not give these to two stores.
    @inlinable
    public static func pure(_ value: MiddlewareType) -> Self {
        // A middleware need not be Sendable. The comment above forbids giving a shared one to two stores.
        let value = Unchecked(value)
        return Self(inject: uncheckedSendable { _ in value.value })
    }

    /// Returns a reader that applies `transform` to the middleware at each `inject`.
    @preconcurrency
    @inlinable
    public func mapMiddleware<NewMiddleware: MiddlewareProtocol>(
        _ transform: @escaping @Sendable (MiddlewareType) -> NewMiddleware
    ) -> MiddlewareReader<Dependencies, NewMiddleware> {
        let inject = inject
        return MiddlewareReader(inject: uncheckedSendable { transform(inject($0)) })
    }

    /// Returns a reader for larger dependencies, from which it extracts the dependencies of this reader.
    ///
    /// ```swift
    /// let app = auth.contramapDependencies { (world: World) in world.session }
    /// ```
    @preconcurrency
    @inlinable
    public func contramapDependencies<World>(
        _ extractOnlyDependenciesNeededForThisMiddleware: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, MiddlewareType> {
        let inject = inject
        return MiddlewareReader(
            inject: uncheckedSendable { inject(extractOnlyDependenciesNeededForThisMiddleware($0)) }
        )
    }

    /// ``contramapDependencies(_:)`` in the spelling of SwiftRex.
    @preconcurrency
    @inlinable
    public func contramapDependecies<World>(
        _ extractOnlyDependenciesNeededForThisMiddleware: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, MiddlewareType> {
        contramapDependencies(extractOnlyDependenciesNeededForThisMiddleware)
    }

    /// Combines ``mapMiddleware(_:)`` and ``contramapDependencies(_:)``.
    @preconcurrency
    @inlinable
    public func dimap<NewMiddleware: MiddlewareProtocol, World>(
        transformMiddleware: @escaping @Sendable (MiddlewareType) -> NewMiddleware,
        extractOnlyDependenciesNeededForThisMiddleware: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, NewMiddleware> {
        mapMiddleware(transformMiddleware).contramapDependencies(extractOnlyDependenciesNeededForThisMiddleware)
    }

    /// Returns a reader that passes this reader's middleware to `transform`, and injects into the resulting reader.
    ///
    /// Each `inject` injects the same dependencies twice: into this reader, and into the reader that `transform`
    /// returned.
    @preconcurrency
    @inlinable
    public func flatMap<NewReader: MiddlewareReaderProtocol>(
        _ transform: @escaping @Sendable (MiddlewareType) -> NewReader
    ) -> NewReader where NewReader.Dependencies == Dependencies {
        let inject = inject
        return NewReader(inject: uncheckedSendable { transform(inject($0)).inject($0) })
    }
}

extension MiddlewareReader {
    /// Combines the middlewares of any number of readers with `map`; all readers receive the same dependencies.
    ///
    /// ```swift
    /// let all = MiddlewareReader.zip(auth, clock, audit, with: { auth, clock, audit in
    ///     auth <> clock <> audit.named("audit")
    /// })
    /// ```
    ///
    /// One function serves any number of readers. They are injected in written order.
    @preconcurrency
    @inlinable
    public static func zip<each Part: MiddlewareProtocol>(
        _ readers: repeat MiddlewareReader<Dependencies, each Part>,
        with map: @escaping @Sendable (repeat each Part) -> MiddlewareType
    ) -> MiddlewareReader {
        let injects = (repeat (each readers).inject)
        return MiddlewareReader(inject: uncheckedSendable { world in map(repeat (each injects)(world)) })
    }

    /// Combines readers in a call with an explicit type, such as `MiddlewareReader<World, AuthMiddleware>.zip(…)`.
    ///
    /// Only the dependencies of that type matter: `map` may create another type of middleware.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public static func zip<each Part: MiddlewareProtocol, Output: MiddlewareProtocol>(
        _ readers: repeat MiddlewareReader<Dependencies, each Part>,
        with map: @escaping @Sendable (repeat each Part) -> Output
    ) -> MiddlewareReader<Dependencies, Output> {
        MiddlewareReader<Dependencies, Output>.zip(repeat each readers, with: map)
    }
}
