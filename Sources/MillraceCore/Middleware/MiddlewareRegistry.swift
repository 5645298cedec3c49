// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a store and its middlewares know of each other while it binds them, in whatever they are wrapped: it collects
/// those that have a name, and those that start effects, and they may ask where the pipeline is.
public enum MiddlewareRegistry {
    private final class Found: Sendable {
        let middlewares = Mutex<[RunningMiddleware]>([])
        let meters = Mutex<[EffectMeter]>([])
        let position: (@Sendable () -> ActionPosition)?

        init(position: (@Sendable () -> ActionPosition)?) {
            self.position = position
        }
    }

    @TaskLocal private static var found: Found?
    /// The middleware that is being bound.
    @TaskLocal private static var enclosing: MiddlewareName?

    /// Runs `bind`, and returns its result and the named middlewares that were bound in it, outer before inner.
    ///
    /// - Parameter position: What middlewares are given that ask for ``position``.
    public static func collecting<Result>(
        position: (@Sendable () -> ActionPosition)? = nil,
        _ bind: () -> Result
    ) -> (Result, [RunningMiddleware]) {
        let (result, middlewares, _) = collectingAll(position: position, bind)
        return (result, middlewares)
    }

    /// The same, and where effects are measured.
    package static func collectingAll<Result>(
        position: (@Sendable () -> ActionPosition)? = nil,
        _ bind: () -> Result
    ) -> (Result, [RunningMiddleware], [EffectMeter]) {
        let found = Found(position: position)
        let result = $found.withValue(found, operation: bind)
        return (result, found.middlewares.withLock { $0 }, found.meters.withLock { $0 })
    }

    /// Binds what a middleware of this name holds.
    @usableFromInline
    static func within(_ name: MiddlewareName, _ bind: () -> Void) {
        $enclosing.withValue(name, operation: bind)
    }

    /// A middleware that starts effects was bound. Nil when nobody collects.
    package static func registerEffects() -> EffectMeter? {
        guard let found else { return nil }
        let meter = EffectMeter(name: enclosing)
        found.meters.withLock { $0.append(meter) }
        return meter
    }

    /// Tells which action the store's pipeline is at. For a middleware to ask in its `bind(to:)`, and to call in `handle`
    /// and `afterReduce` only: a few loads. Nil when no store binds.
    public static var position: (@Sendable () -> ActionPosition)? { found?.position }

    /// A middleware of this name was bound. Nil when nobody collects.
    @usableFromInline
    static func register(_ name: MiddlewareName) -> RunningMiddleware? {
        guard let found else { return nil }
        let middleware = RunningMiddleware(name: name)
        found.middlewares.withLock { $0.append(middleware) }
        return middleware
    }
}
