// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The store's part in a copy of an effect middleware, set when the store binds the copy. Outside of a store both are
/// nil.
@usableFromInline
struct EffectBinding: Sendable {
    /// Measures the effects. Each copy has its own meter, as copies may be in several stores, or under several names.
    let meter: EffectMeter?
    let lease: EffectLease?

    /// Creates the binding of a copy that is in no store.
    @usableFromInline
    init() {
        meter = nil
        lease = nil
    }

    /// Creates the binding for the store that is binding the middleware. The registries belong to the middleware.
    @usableFromInline
    init(_ registries: [EffectRegistry]) {
        meter = MiddlewareRegistry.effectMeter
        lease = EffectLease(registries)
    }
}
