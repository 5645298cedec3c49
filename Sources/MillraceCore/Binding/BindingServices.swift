// SPDX-License-Identifier: Apache-2.0

/// The part of a binding that has the same type for every middleware of a store.
@usableFromInline
package struct BindingServices: Sendable {
    /// The name of the innermost named middleware around the one that is being bound.
    @usableFromInline package var name: MiddlewareName?
    /// Whether all gates in front of the middleware are open; nil if there is none. Only gates that cancel effects when
    /// they close count: an effect that starts while one of them is closed is cancelled at once. Any thread, any time.
    @usableFromInline package var areGatesOpen: (@Sendable () -> Bool)?
    /// Returns the action that the pipeline handles; nil without a store.
    @usableFromInline package let position: (@Sendable () -> ActionPosition)?
    /// Holds the probe that measures the effects of the store; nil without a store.
    @usableFromInline package let effects: EffectProbeCell?
    /// Tells the store's probe of the copies that readers of the state make; nil without a store.
    let copies: CopyReporterCell?
    /// Counts an action whose element the reducers removed; nil without a store.
    @usableFromInline package let countVanished: (@Sendable () -> Void)?
    /// The world of the store; nil: the system.
    @usableFromInline package let world: (any StoreWorld)?
    /// Keeps the beginning of an effect until its action is durable. Returns false if the effect may begin now. Nil in
    /// a store without a journal.
    package let hold: (@Sendable (@escaping () -> Void) -> Bool)?
    /// Numbers a middleware, and returns what notes that an effect of it begins, for the current action; nil without a
    /// journal that begins effects again. What notes an effect returns nil if the effect is not noted.
    package let makeTracker: (@Sendable () -> @Sendable () -> EffectReceipt?)?
    private let names: BoundNames?

    @usableFromInline
    package init() {
        self.init(position: nil, effects: nil, countVanished: nil, names: nil, world: nil)
    }

    package init(
        position: (@Sendable () -> ActionPosition)?,
        effects: EffectProbeCell?,
        copies: CopyReporterCell? = nil,
        countVanished: (@Sendable () -> Void)?,
        names: BoundNames?,
        world: (any StoreWorld)? = nil,
        hold: (@Sendable (@escaping () -> Void) -> Bool)? = nil,
        makeTracker: (@Sendable () -> @Sendable () -> EffectReceipt?)? = nil
    ) {
        self.position = position
        self.effects = effects
        self.copies = copies
        self.countVanished = countVanished
        self.names = names
        self.world = world
        self.hold = hold
        self.makeTracker = makeTracker
    }

    /// Returns the services for a middleware whose names are collected apart, such as a plugin.
    package func collecting(_ names: BoundNames) -> BindingServices {
        BindingServices(
            position: position,
            effects: effects,
            copies: copies,
            countVanished: countVanished,
            names: names,
            world: world,
            hold: hold,
            makeTracker: makeTracker
        )
    }

    /// The meter for the effects of the middleware that is being bound; nil without a store.
    package var effectMeter: EffectMeter? {
        effects.map { EffectMeter(name: name, cell: $0) }
    }

    /// Notes that a middleware with this name was bound; returns nil without a store.
    @usableFromInline
    func register(_ name: MiddlewareName) -> RunningMiddleware? {
        names?.add(name)
    }
}

/// Collects the named middlewares of a store while it binds them, outer before inner.
@usableFromInline
package final class BoundNames: Sendable {
    private let middlewares = Locked<[RunningMiddleware]>([])

    @usableFromInline package init() {}

    @usableFromInline package var all: [RunningMiddleware] { middlewares.withLock { $0 } }

    fileprivate func add(_ name: MiddlewareName) -> RunningMiddleware {
        let middleware = RunningMiddleware(name: name)
        middlewares.withLock { $0.append(middleware) }
        return middleware
    }
}
