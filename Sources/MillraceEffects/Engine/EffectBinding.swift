// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The store's part in a copy of an effect middleware, made when the store binds the copy; a copy outside of a store
/// has none. Only that copy holds it. So when the store releases the copy, the effects that the store has started are
/// cancelled, although other copies of the middleware may exist.
@usableFromInline
final class EffectBinding: Sendable {
    /// Identifies the binding in the effects, which do not hold it.
    @usableFromInline typealias ID = ObjectIdentifier

    /// Measures the effects. Each copy has its own meter, as copies may be in several stores, or under several names.
    let meter: EffectMeter?

    /// Whether a probe measures the effects.
    var isMeasuring: Bool { meter?.isMeasuring == true }

    /// Whether something has to know of each effect: a probe or a journal.
    @usableFromInline var isWatching: Bool { hasJournal || isMeasuring }

    /// Keeps the beginning of an effect until its action is durable; nil in a store without a journal. A property of
    /// its own, because reading it from `services` would copy them.
    let hold: (@Sendable (@escaping () -> Void) -> Bool)?
    /// Notes effects that begin again after a crash; nil if these do not.
    let track: (@Sendable () -> EffectReceipt?)?
    /// Whether the store has a journal: cheaper to read than `hold`.
    let hasJournal: Bool
    /// What the store gives to the middleware.
    let services: BindingServices
    /// The scope of effects that are not started for an element.
    @usableFromInline let scope: EffectScope
    private let registries: [EffectRegistry]

    /// Creates the binding for the store that is binding the middleware. The registries belong to the middleware.
    ///
    /// - Parameter isTracked: Whether a journal may begin the effects again. Not those that follow from the state.
    @usableFromInline
    init(_ registries: [EffectRegistry], _ services: BindingServices, isTracked: Bool = false) {
        meter = services.effectMeter
        self.services = services
        hold = services.hold
        track = isTracked ? services.makeTracker?() : nil
        hasJournal = services.hold != nil
        self.registries = registries
        scope = EffectScope(of: services.world)
        services.world?.note(self)
    }

    deinit {
        for registry in registries { registry.cancel(of: ObjectIdentifier(self)) }
    }
}

extension EffectBinding: EffectsUnderWay {
    @usableFromInline var underWay: [EffectUnderWay] {
        Dictionary(registries.map { (ObjectIdentifier($0), $0) }) { first, _ in first }.values
            .flatMap { $0.underWay(of: ObjectIdentifier(self)) }
    }

    @usableFromInline
    func cancelAll() {
        for registry in registries { registry.cancel(of: ObjectIdentifier(self)) }
    }
}
