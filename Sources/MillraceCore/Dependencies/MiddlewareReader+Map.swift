// SPDX-License-Identifier: Apache-2.0

extension MiddlewareReaderProtocol {
    /// A reader of a middleware that depends on nothing: `inject` gives it back each time.
    ///
    /// A structure is copied. A class is the same one for all who inject, and an effect middleware shares what runs; do
    /// not give these to two stores.
    @inlinable
    public static func pure(_ value: MiddlewareType) -> Self {
        // A middleware need not be Sendable: who has it in two stores is told not to by the line above.
        let value = Unchecked(value)
        return Self(inject: uncheckedSendable { _ in value.value })
    }

    /// A reader of what `transform` makes of the middleware, at each `inject`.
    @preconcurrency
    @inlinable
    public func mapMiddleware<NewMiddleware: MiddlewareProtocol>(
        _ transform: @escaping @Sendable (MiddlewareType) -> NewMiddleware
    ) -> MiddlewareReader<Dependencies, NewMiddleware> {
        let inject = inject
        return MiddlewareReader(inject: uncheckedSendable { transform(inject($0)) })
    }

    /// A reader that is given more, and takes what its middleware needs out of it.
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

    /// ``mapMiddleware(_:)`` and ``contramapDependencies(_:)`` in one.
    @preconcurrency
    @inlinable
    public func dimap<NewMiddleware: MiddlewareProtocol, World>(
        transformMiddleware: @escaping @Sendable (MiddlewareType) -> NewMiddleware,
        extractOnlyDependenciesNeededForThisMiddleware: @escaping @Sendable (World) -> Dependencies
    ) -> MiddlewareReader<World, NewMiddleware> {
        mapMiddleware(transformMiddleware).contramapDependencies(extractOnlyDependenciesNeededForThisMiddleware)
    }

    /// A reader of what the reader that `transform` makes of the middleware reads from the same dependencies.
    ///
    /// Each `inject` injects twice: into this reader, and into the one that `transform` returned.
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
    /// A reader of what `map` makes of the middlewares of any number of readers, all given the same dependencies.
    ///
    /// ```swift
    /// let all = MiddlewareReader.zip(auth, clock, audit, with: { auth, clock, audit in
    ///     auth <> clock <> audit.named("audit")
    /// })
    /// ```
    ///
    /// One function for every number of readers; they are injected in written order.
    @preconcurrency
    @inlinable
    public static func zip<each Part: MiddlewareProtocol>(
        _ readers: repeat MiddlewareReader<Dependencies, each Part>,
        with map: @escaping @Sendable (repeat each Part) -> MiddlewareType
    ) -> MiddlewareReader {
        let injects = (repeat (each readers).inject)
        return MiddlewareReader(inject: uncheckedSendable { world in map(repeat (each injects)(world)) })
    }

    /// The same where the reader's type is written, as in `MiddlewareReader<World, AuthMiddleware>.zip(…)`: only its
    /// dependencies matter, and `map` may make another middleware.
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
