// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Collects the named middlewares of a store while it binds its own, in whatever they are wrapped.
public enum MiddlewareRegistry {
    private final class Found: Sendable {
        let middlewares = Mutex<[RunningMiddleware]>([])
    }

    @TaskLocal private static var found: Found?

    /// Runs `bind`, and returns its result and the named middlewares that were bound in it, outer before inner.
    public static func collecting<Result>(_ bind: () -> Result) -> (Result, [RunningMiddleware]) {
        let found = Found()
        let result = $found.withValue(found, operation: bind)
        return (result, found.middlewares.withLock { $0 })
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
