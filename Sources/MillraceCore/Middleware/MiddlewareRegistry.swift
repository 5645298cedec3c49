// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a store and its middlewares know of each other while it binds them, in whatever they are wrapped: it collects
/// those that have a name, and they may ask where the pipeline is, and where their effects are measured.
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
    /// The middleware that is being bound.
    @TaskLocal private static var enclosing: MiddlewareName?
    /// Whether the gates in front of it are open.
    @TaskLocal private static var gates: (@Sendable () -> Bool)?

    /// Runs `bind`, and returns its result and the named middlewares that were bound in it, outer before inner.
    ///
    /// - Parameter position: What middlewares are given that ask for ``position``.
    public static func collecting<Result>(
        position: (@Sendable () -> ActionPosition)? = nil,
        _ bind: () -> Result
    ) -> (Result, [RunningMiddleware]) {
        collecting(position: position, effects: nil, bind)
    }

    /// The same.
    ///
    /// - Parameter effects: Who measures the effects of the middlewares that are bound.
    package static func collecting<Result>(
        position: (@Sendable () -> ActionPosition)?,
        effects: EffectProbeCell?,
        _ bind: () -> Result
    ) -> (Result, [RunningMiddleware]) {
        let found = Found(position: position, effects: effects)
        // A store may be made while another one binds, or by what a gated work starts: their names and gates are theirs.
        let result = $found.withValue(found) {
            $enclosing.withValue(nil) { $gates.withValue(nil, operation: bind) }
        }
        return (result, found.middlewares.withLock { $0 })
    }

    /// Binds what a middleware of this name holds.
    @usableFromInline
    static func within(_ name: MiddlewareName, _ bind: () -> Void) {
        $enclosing.withValue(name, operation: bind)
    }

    /// Binds what a gate holds that cancels effects when it closes, or runs its work outside of a store.
    @usableFromInline
    package static func behindGate(_ isOpen: @escaping @Sendable () -> Bool, _ body: () -> Void) {
        let outer = gates
        $gates.withValue({ isOpen() && outer?() != false }, operation: body)
    }

    /// Whether all those gates in front of the middleware that is being bound are open, to be asked at any time; nil
    /// where there is none. What it starts while one is closed is cancelled at once.
    @usableFromInline
    package static var areGatesOpen: (@Sendable () -> Bool)? { gates }

    /// Where the effects of the middleware that is being bound are measured. Nil when no store binds.
    @usableFromInline
    package static var effectMeter: EffectMeter? {
        found?.effects.map { EffectMeter(name: enclosing, cell: $0) }
    }

    /// Who measures the effects of the store that binds.
    package static var effects: EffectProbeCell? { found?.effects }

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
