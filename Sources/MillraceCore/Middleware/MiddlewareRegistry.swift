// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Connects a store with its middlewares while it binds them, even if other middlewares wrap them. It collects the
/// named middlewares. A middleware can get the position of the pipeline and the meter of its effects here.
public enum MiddlewareRegistry {
    private final class Found: Sendable {
        let middlewares = Mutex<[RunningMiddleware]>([])
        let position: (@Sendable () -> ActionPosition)?
        let effects: EffectProbeCell?

        init(position: (@Sendable () -> ActionPosition)?, effects: EffectProbeCell?) {
            self.position = position
            self.effects = effects
        }
    }

    @TaskLocal private static var found: Found?
    /// The innermost named middleware that holds the middleware that is being bound.
    @TaskLocal private static var enclosing: MiddlewareName?
    /// Whether the gates in front of the middleware that is being bound are open.
    @TaskLocal private static var gates: (@Sendable () -> Bool)?

    /// Runs `bind`, and returns its result and the named middlewares that it bound, outer before inner.
    ///
    /// - Parameter position: The function that middlewares get from ``position``.
    public static func collecting<Result>(
        position: (@Sendable () -> ActionPosition)? = nil,
        _ bind: () -> Result
    ) -> (Result, [RunningMiddleware]) {
        collecting(position: position, effects: nil, bind)
    }

    /// Runs `bind` in the same way, and lets the middlewares measure their effects.
    ///
    /// - Parameter effects: Holds the probe that measures the effects of the bound middlewares.
    package static func collecting<Result>(
        position: (@Sendable () -> ActionPosition)?,
        effects: EffectProbeCell?,
        _ bind: () -> Result
    ) -> (Result, [RunningMiddleware]) {
        let found = Found(position: position, effects: effects)
        // A store may be created while another one binds, or by an IO behind a gate. It has its own names and gates.
        let result = $found.withValue(found) {
            $enclosing.withValue(nil) { $gates.withValue(nil, operation: bind) }
        }
        return (result, found.middlewares.withLock { $0 })
    }

    /// Binds the middleware inside a middleware with this name.
    @usableFromInline
    static func within(_ name: MiddlewareName, _ bind: () -> Void) {
        $enclosing.withValue(name, operation: bind)
    }

    /// Binds the middleware behind a gate, or runs its IO outside of a store. Only for gates that cancel effects when
    /// they close.
    @usableFromInline
    package static func behindGate(_ isOpen: @escaping @Sendable () -> Bool, _ body: () -> Void) {
        let outer = gates
        $gates.withValue({ isOpen() && outer?() != false }, operation: body)
    }

    /// Whether all gates in front of the middleware that is being bound are open; nil if there is none. Only gates that
    /// cancel effects when they close count: an effect that starts while one of them is closed is cancelled at once.
    /// The function may be called at any time.
    @usableFromInline
    package static var areGatesOpen: (@Sendable () -> Bool)? { gates }

    /// The meter for the effects of the middleware that is being bound; nil if no store binds.
    @usableFromInline
    package static var effectMeter: EffectMeter? {
        found?.effects.map { EffectMeter(name: enclosing, cell: $0) }
    }

    /// Holds the probe that measures the effects of the store that binds; nil if no store binds.
    package static var effects: EffectProbeCell? { found?.effects }

    /// Returns the action that the store's pipeline handles; nil if no store binds. A middleware reads this property in
    /// its `bind(to:)`, and calls the function only in `handle` and `afterReduce`. A call costs a few loads.
    public static var position: (@Sendable () -> ActionPosition)? { found?.position }

    /// Registers a middleware with this name that was bound; returns nil outside of `collecting`.
    @usableFromInline
    static func register(_ name: MiddlewareName) -> RunningMiddleware? {
        guard let found else { return nil }
        let middleware = RunningMiddleware(name: name)
        found.middlewares.withLock { $0.append(middleware) }
        return middleware
    }
}
