// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// What a copy of an effect middleware gets when a store takes it. Nothing else keeps it: so when the store releases that
/// copy, the effects that it has started are cancelled, although other copies of the middleware may be kept elsewhere.
@usableFromInline
final class EffectBinding: Sendable {
    /// What the effects know of it.
    @usableFromInline typealias ID = ObjectIdentifier

    /// Where the effects are measured; nil outside of a store. Each copy has its own, as others may be in other stores, or
    /// under other names.
    let meter: EffectMeter?

    /// Whether somebody measures the effects.
    var isMeasuring: Bool { meter?.isMeasuring == true }

    private let registries: [EffectRegistry]

    /// For the store that is taking the middleware, to which these registries belong.
    @usableFromInline
    init(_ registries: [EffectRegistry]) {
        meter = MiddlewareRegistry.effectMeter
        self.registries = registries
    }

    deinit {
        for registry in registries { registry.cancel(of: ObjectIdentifier(self)) }
    }
}
