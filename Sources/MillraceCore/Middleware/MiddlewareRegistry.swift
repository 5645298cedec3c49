// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Collects the named middlewares of a store while it binds its own, and those that start effects, in whatever they are
/// wrapped.
public enum MiddlewareRegistry {
    private final class Found: Sendable {
        let middlewares = Mutex<[RunningMiddleware]>([])
        let meters = Mutex<[EffectMeter]>([])
    }

    @TaskLocal private static var found: Found?
    /// The middleware that is being bound.
    @TaskLocal private static var enclosing: MiddlewareName?

    /// Runs `bind`, and returns its result and the named middlewares that were bound in it, outer before inner.
    public static func collecting<Result>(_ bind: () -> Result) -> (Result, [RunningMiddleware]) {
        let (result, middlewares, _) = collectingAll(bind)
        return (result, middlewares)
    }

    /// The same, and where effects are measured.
    package static func collectingAll<Result>(_ bind: () -> Result) -> (Result, [RunningMiddleware], [EffectMeter]) {
        let found = Found()
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

    /// A middleware of this name was bound. Nil when nobody collects.
    @usableFromInline
    static func register(_ name: MiddlewareName) -> RunningMiddleware? {
        guard let found else { return nil }
        let middleware = RunningMiddleware(name: name)
        found.middlewares.withLock { $0.append(middleware) }
        return middleware
    }
}
