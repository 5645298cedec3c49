// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// What a copy of an effect middleware gets when a store takes it; both are nil outside of a store.
@usableFromInline
struct EffectBinding: Sendable {
    /// Where its effects are measured. Each copy has its own, as others may be in other stores, or under other names.
    let meter: EffectMeter?
    let lease: EffectLease?

    /// Outside of a store.
    @usableFromInline
    init() {
        meter = nil
        lease = nil
    }

    /// For the store that is taking the middleware, to which these registries belong.
    @usableFromInline
    init(_ registries: [EffectRegistry]) {
        meter = MiddlewareRegistry.effectMeter
        lease = EffectLease(registries)
    }
}
